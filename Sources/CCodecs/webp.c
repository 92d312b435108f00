#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "ccodecs.h"

decal_status decal_webp_read_header(const uint8_t *bytes, size_t count, decal_webp_header *header) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes, count, &features) != VP8_STATUS_OK) return DECAL_DAMAGED;
  header->width = (uint32_t)features.width;
  header->height = (uint32_t)features.height;
  header->has_alpha = features.has_alpha;
  header->is_animated = features.has_animation;
  header->is_lossless = features.format == 2;
  return DECAL_OK;
}

decal_status decal_webp_read(
  const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return DECAL_UNSUPPORTED;
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels;
  config.output.u.RGBA.stride = (int)(width * 4);
  config.output.u.RGBA.size = (size_t)width * height * 4;
  const VP8StatusCode status = WebPDecode(bytes, count, &config);
  WebPFreeDecBuffer(&config.output);
  if (status == VP8_STATUS_OUT_OF_MEMORY) return DECAL_NO_MEMORY;
  return status == VP8_STATUS_OK ? DECAL_OK : DECAL_DAMAGED;
}

struct decal_webp_animation {
  uint8_t *file;
  WebPAnimDecoder *decoder;
};

decal_webp_animation *decal_webp_open(const uint8_t *bytes, size_t count) {
  decal_webp_animation *animation = calloc(1, sizeof *animation);
  if (!animation) return NULL;
  animation->file = malloc(count ? count : 1);
  WebPAnimDecoderOptions options;
  if (animation->file && WebPAnimDecoderOptionsInit(&options)) {
    memcpy(animation->file, bytes, count);
    options.color_mode = MODE_RGBA;
    const WebPData data = {animation->file, count};
    animation->decoder = WebPAnimDecoderNew(&data, &options);
  }
  if (animation->decoder) return animation;
  decal_webp_close(animation);
  return NULL;
}

void decal_webp_close(decal_webp_animation *animation) {
  if (!animation) return;
  WebPAnimDecoderDelete(animation->decoder);
  free(animation->file);
  free(animation);
}

decal_status decal_webp_next(decal_webp_animation *animation, const uint8_t **pixels) {
  uint8_t *canvas = NULL;
  int time = 0;
  if (!WebPAnimDecoderGetNext(animation->decoder, &canvas, &time)) return DECAL_DAMAGED;
  *pixels = canvas;
  return DECAL_OK;
}

int decal_webp_version(void) { return WebPGetDecoderVersion(); }
