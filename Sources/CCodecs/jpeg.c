#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include <jerror.h>
#include <setjmp.h>
#include <string.h>

#include "ccodecs.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

/// Each scan of a progressive file costs a pass over the whole picture; real encoders write about ten.
#define MAX_SCANS 200
/// A great picture may have fewer, so that the passes over it take a few seconds at most.
#define MAX_SCANNED_PIXELS 3000000000

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf jump;
  decal_report *report;
  decal_status status;
} jpeg_errors;

static void on_error(j_common_ptr jpeg) {
  jpeg_errors *errors = (jpeg_errors *)jpeg->err;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  strncpy(errors->report->error, text, sizeof errors->report->error - 1);
  switch (jpeg->err->msg_code) {
  case JERR_BAD_PRECISION:
  case JERR_SOF_UNSUPPORTED:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_EMPTY_IMAGE:
  case JERR_ARITH_NOTIMPL:
  case JERR_NOTIMPL:
  case JERR_NOT_COMPILED:
    errors->status = DECAL_UNSUPPORTED;
    break;
  case JERR_OUT_OF_MEMORY:
    errors->status = DECAL_NO_MEMORY;
    break;
  default:
    errors->status = DECAL_DAMAGED;
  }
  longjmp(errors->jump, 1);
}

/// Encoders leave a few bytes of padding behind a scan, and more before a restart marker; a scan whose codes are broken
/// leaves tens to thousands.
#define MAX_PADDING 16

/// Whether a warning says that picture data were lost.
static int loses_data(j_common_ptr jpeg) {
  switch (jpeg->err->msg_code) {
  case JWRN_JPEG_EOF:
  case JWRN_HIT_MARKER:
  case JWRN_HUFF_BAD_CODE:
  case JWRN_ARITH_BAD_CODE:
  case JWRN_MUST_RESYNC:
    return 1;
  case JWRN_EXTRANEOUS_DATA:
    // Between the segments of the header nothing is lost, and decoding begins anew at a restart marker.
    return ((j_decompress_ptr)jpeg)->input_scan_number > 0 && jpeg->err->msg_parm.i[0] > MAX_PADDING
      && (jpeg->err->msg_parm.i[1] < 0xd0 || jpeg->err->msg_parm.i[1] > 0xd7);
  default:
    return 0;
  }
}

/// What loses picture data ends the reading; the rest is odd but harmless.
static void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  if (loses_data(jpeg)) on_error(jpeg);
  jpeg_errors *errors = (jpeg_errors *)jpeg->err;
  if (errors->report->warning[0]) return;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  strncpy(errors->report->warning, text, sizeof errors->report->warning - 1);
}

static void on_output(j_common_ptr jpeg) { (void)jpeg; }

static void on_progress(j_common_ptr common) {
  const j_decompress_ptr jpeg = (j_decompress_ptr)common;
  const size_t area = (size_t)jpeg->image_width * jpeg->image_height;
  const size_t affordable = MAX_SCANNED_PIXELS / (area ? area : 1);
  const int limit = affordable < MAX_SCANS ? (int)affordable : MAX_SCANS;
  if (jpeg->input_scan_number > limit) {
    jpeg_errors *errors = (jpeg_errors *)jpeg->err;
    snprintf(errors->report->error, sizeof errors->report->error, "more than %d scans", limit);
    errors->status = DECAL_UNSUPPORTED;
    longjmp(errors->jump, 1);
  }
}

static void prepare(struct jpeg_decompress_struct *jpeg, jpeg_errors *errors, decal_report *report) {
  memset(report, 0, sizeof *report);
  memset(jpeg, 0, sizeof *jpeg);
  jpeg->err = jpeg_std_error(&errors->base);
  errors->base.error_exit = on_error;
  errors->base.emit_message = on_message;
  errors->base.output_message = on_output;
  errors->report = report;
  errors->status = DECAL_DAMAGED;
}

static int space_of(const struct jpeg_decompress_struct *jpeg, decal_jpeg_space *space) {
  switch (jpeg->jpeg_color_space) {
  case JCS_GRAYSCALE: *space = DECAL_JPEG_GRAY; return 1;
  case JCS_YCbCr: *space = DECAL_JPEG_YCBCR; return 1;
  case JCS_RGB: *space = DECAL_JPEG_RGB; return 1;
  case JCS_CMYK: *space = DECAL_JPEG_CMYK; return 1;
  case JCS_YCCK: *space = DECAL_JPEG_YCCK; return 1;
  default: return 0;
  }
}

/// What is done with a file whose header was read; an error leaves it by a jump.
typedef decal_status (*jpeg_work)(struct jpeg_decompress_struct *jpeg, void *order);

static decal_status with_header(
  const uint8_t *bytes, size_t count, decal_report *report, jpeg_work work, void *order) {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_progress_mgr progress;
  jpeg_errors errors;
  prepare(&jpeg, &errors, report);
  if (setjmp(errors.jump)) {
    jpeg_destroy_decompress(&jpeg);
    return errors.status;
  }
  jpeg_create_decompress(&jpeg);
  memset(&progress, 0, sizeof progress);
  progress.progress_monitor = on_progress;
  jpeg.progress = &progress;
  jpeg_mem_src(&jpeg, bytes, count);
  jpeg_read_header(&jpeg, TRUE);
  const decal_status status = work(&jpeg, order);
  jpeg_destroy_decompress(&jpeg);
  return status;
}

typedef struct {
  decal_jpeg_header *header;
  decal_report *report;
} header_order;

static decal_status fill_header(struct jpeg_decompress_struct *jpeg, void *order) {
  decal_jpeg_header *header = ((header_order *)order)->header;
  decal_report *report = ((header_order *)order)->report;
  header->width = jpeg->image_width;
  header->height = jpeg->image_height;
  header->is_progressive = jpeg->progressive_mode;
  header->is_arithmetic = jpeg->arith_code;
  header->has_many_scans = jpeg_has_multiple_scans(jpeg);
  if (space_of(jpeg, &header->space)) return DECAL_OK;
  snprintf(report->error, sizeof report->error, "%d color components", jpeg->num_components);
  return DECAL_UNSUPPORTED;
}

decal_status decal_jpeg_read_header(
  const uint8_t *bytes, size_t count, decal_jpeg_header *header, decal_report *report) {
  header_order order = { header, report };
  return with_header(bytes, count, report, fill_header, &order);
}

typedef struct {
  uint32_t width, height, reduction;
  uint8_t *pixels;
} pixel_order;

static void expect_size(struct jpeg_decompress_struct *jpeg, const pixel_order *order) {
  if (jpeg->image_width != order->width || jpeg->image_height != order->height) ERREXIT(jpeg, JERR_BAD_LENGTH);
}

static decal_status decode_all(struct jpeg_decompress_struct *jpeg, void *context) {
  const pixel_order *order = context;
  expect_size(jpeg, order);
  decal_jpeg_space space;
  if (!space_of(jpeg, &space)) ERREXIT(jpeg, JERR_CONVERSION_NOTIMPL);
  const int is_ink = space == DECAL_JPEG_CMYK || space == DECAL_JPEG_YCCK;
  jpeg->out_color_space = is_ink ? JCS_CMYK : JCS_EXT_RGBA;
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->scale_num = 1;
  jpeg->scale_denom = order->reduction;
  jpeg_start_decompress(jpeg);
  const uint32_t columns = (order->width + order->reduction - 1) / order->reduction;
  const uint32_t rows = (order->height + order->reduction - 1) / order->reduction;
  if (jpeg->output_width != columns || jpeg->output_height != rows) ERREXIT(jpeg, JERR_BAD_LENGTH);
  const size_t stride = (size_t)columns * 4;
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW row = order->pixels + jpeg->output_scanline * stride;
    jpeg_read_scanlines(jpeg, &row, 1);
    // Adobe's programs store ink inverted, and say with their marker that it was they.
    if (is_ink && jpeg->saw_Adobe_marker)
      for (size_t i = 0; i < stride; i++) row[i] = 255 - row[i];
  }
  jpeg_finish_decompress(jpeg);
  return DECAL_OK;
}

decal_status decal_jpeg_read(
  const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint32_t reduction, uint8_t *pixels,
  decal_report *report) {
  pixel_order order = { width, height, reduction, pixels };
  return with_header(bytes, count, report, decode_all, &order);
}

#define BAND 128
#define BAND_SAMPLE 8

uint32_t decal_jpeg_sampled_rows(uint32_t height) {
  const uint32_t rest = height % BAND;
  return height / BAND * BAND_SAMPLE + (rest < BAND_SAMPLE ? rest : BAND_SAMPLE);
}

static decal_status decode_some(struct jpeg_decompress_struct *jpeg, void *context) {
  const pixel_order *order = context;
  expect_size(jpeg, order);
  jpeg->out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(jpeg);
  JSAMPROW row = order->pixels;
  while (jpeg->output_scanline < order->height) {
    const uint32_t inside = jpeg->output_scanline % BAND;
    if (inside < BAND_SAMPLE) {
      jpeg_read_scanlines(jpeg, &row, 1);
      row += (size_t)order->width * 4;
    } else {
      const uint32_t left = order->height - jpeg->output_scanline;
      // Behind the last sample there is nothing to see.
      if (left <= BAND - inside) break;
      jpeg_skip_scanlines(jpeg, BAND - inside);
    }
  }
  return DECAL_OK;
}

decal_status decal_jpeg_sample(
  const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, decal_report *report) {
  pixel_order order = { width, height, 1, pixels };
  return with_header(bytes, count, report, decode_some, &order);
}

const char *decal_jpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
  return TEXT(LIBJPEG_TURBO_VERSION);
#else
  return TEXT(JPEG_LIB_VERSION);
#endif
}
