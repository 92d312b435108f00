#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "ccodecs.h"

typedef struct {
  const decal_piece *piece;
  size_t pieces;
  /// How much of the first piece is read.
  size_t used;
  decal_report *report;
} png_input;

static void keep(char *to, size_t room, const char *text) {
  strncpy(to, text, room - 1);
  to[room - 1] = 0;
}

static void on_error(png_structp png, png_const_charp text) {
  png_input *input = png_get_error_ptr(png);
  keep(input->report->error, sizeof input->report->error, text);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  png_input *input = png_get_error_ptr(png);
  if (!input->report->warning[0]) keep(input->report->warning, sizeof input->report->warning, text);
}

static void read_bytes(png_structp png, png_bytep to, size_t count) {
  png_input *input = png_get_io_ptr(png);
  while (count > 0) {
    if (input->pieces == 0) png_error(png, "the data ends early");
    size_t part = input->piece->count - input->used;
    if (part > count) part = count;
    if (part > 0) memcpy(to, input->piece->bytes + input->used, part);
    to += part;
    count -= part;
    input->used += part;
    if (input->used == input->piece->count) {
      input->piece++;
      input->pieces--;
      input->used = 0;
    }
  }
}

/// Looks up a row of indices that stands in the last quarter of its pixels; what is beyond the palette is opaque black, as
/// in browsers, and counted.
static size_t look_up(uint8_t *row, uint32_t width, const uint8_t table[256][4], int entries) {
  const uint8_t *indices = row + (size_t)width * 3;
  size_t beyond = 0;
  for (uint32_t x = 0; x < width; x++) {
    const int index = indices[x];
    beyond += index >= entries;
    memcpy(row + (size_t)x * 4, table[index], 4);
  }
  return beyond;
}

/// The palette with its alphas; returns the number of its entries.
static int take_palette(png_structp png, png_infop info, uint8_t table[256][4]) {
  png_colorp colors = NULL;
  png_bytep alphas = NULL;
  int entries = 0, translucent = 0;
  png_get_PLTE(png, info, &colors, &entries);
  png_get_tRNS(png, info, &alphas, &translucent, NULL);
  for (int i = 0; i < 256; i++) {
    const int is_there = i < entries;
    table[i][0] = is_there ? colors[i].red : 0;
    table[i][1] = is_there ? colors[i].green : 0;
    table[i][2] = is_there ? colors[i].blue : 0;
    table[i][3] = is_there && i < translucent ? alphas[i] : 255;
  }
  return entries;
}

static void expand_to_rgba(png_structp png, png_infop info, int sixteen) {
  png_set_expand(png);
  if (sixteen) {
    const uint16_t one = 1;
    if (*(const uint8_t *)&one) png_set_swap(png);
  }
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, sixteen ? 0xffff : 0xff, PNG_FILLER_AFTER);
}

decal_status decal_png_read(
  const decal_piece *pieces, size_t count, uint32_t width, uint32_t height, int sixteen, void *pixels,
  decal_report *report) {
  png_input input = {pieces, count, 0, report};
  memset(report, 0, sizeof *report);
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, on_error, on_warning);
  if (!png) return DECAL_NO_MEMORY;
  volatile png_infop info = png_create_info_struct(png);
  if (!info) {
    png_destroy_read_struct(&png, NULL, NULL);
    return DECAL_NO_MEMORY;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_infop dead = info;
    png_destroy_read_struct(&png, &dead, NULL);
    return DECAL_DAMAGED;
  }
  png_set_read_fn(png, &input, read_bytes);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  // The caller has checked the chunks of the file; these were rebuilt from them.
  png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height)
    png_error(png, "the size changes within the file");
  const int is_indexed = png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE;
  uint8_t table[256][4];
  const int entries = is_indexed ? take_palette(png, info, table) : 0;
  if (is_indexed)
    png_set_packing(png);
  else
    expand_to_rgba(png, info, sixteen);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  const size_t stride = (size_t)width * (sixteen ? 8 : 4);
  if (png_get_rowbytes(png, info) != (is_indexed ? width : stride))
    png_error(png, "rows have an unexpected length");
  png_bytep first = (png_bytep)pixels + (is_indexed ? (size_t)width * 3 : 0);
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++) png_read_row(png, first + y * stride, NULL);
  png_read_end(png, NULL);
  size_t beyond = 0;
  if (is_indexed)
    for (uint32_t y = 0; y < height; y++)
      beyond += look_up((uint8_t *)pixels + y * stride, width, (const uint8_t(*)[4])table, entries);
  if (beyond > 0)
    snprintf(report->warning, sizeof report->warning, "%zu pixels point beyond the palette; they are black", beyond);
  png_infop done = info;
  png_destroy_read_struct(&png, &done, NULL);
  return DECAL_OK;
}

const char *decal_png_version(void) { return png_get_libpng_ver(NULL); }
