#pragma once
#include <stddef.h>
#include <stdint.h>

/// The only C of the project: every setjmp, error and warning callback of the image libraries lives behind this header,
/// and what only a processor's own instructions do quickly.
/// No function jumps over its caller, prints, or keeps a pointer after it returned, unless it says so.

/// How a call ended.
typedef enum {
  DECAL_OK = 0,
  DECAL_DAMAGED = 1,
  DECAL_UNSUPPORTED = 2,
  DECAL_NO_MEMORY = 3,
} decal_status;

/// What a library said: the error that ended the call, and the first of its warnings.
typedef struct {
  char error[200];
  char warning[200];
} decal_report;

// PNG

/// A part of a file that lies somewhere in memory.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} decal_piece;

/// Decodes a PNG, in pieces, that holds nothing but IHDR, PLTE, tRNS, IDAT and IEND; checksums of chunks are not looked at.
/// `pixels` takes width * height * 4 samples of R, G, B, A, 8 bits each, or 16 in native order where `sixteen` is set.
decal_status decal_png_read(
  const decal_piece *pieces, size_t count, uint32_t width, uint32_t height, int sixteen, void *pixels,
  decal_report *report);

/// The version of libpng that is linked.
const char *decal_png_version(void);

// JPEG

/// The color spaces that a JPEG stores.
typedef enum {
  DECAL_JPEG_GRAY = 0,
  DECAL_JPEG_YCBCR = 1,
  DECAL_JPEG_RGB = 2,
  DECAL_JPEG_CMYK = 3,
  DECAL_JPEG_YCCK = 4,
} decal_jpeg_space;

typedef struct {
  uint32_t width;
  uint32_t height;
  decal_jpeg_space space;
  int is_progressive;
  int is_arithmetic;
  /// Whether libjpeg has to hold the whole picture's coefficients: the scans are several.
  int has_many_scans;
} decal_jpeg_header;

/// Reads a JPEG up to its first scan.
decal_status decal_jpeg_read_header(
  const uint8_t *bytes, size_t count, decal_jpeg_header *header, decal_report *report);

/// Decodes a JPEG of the size its header says: R, G, B, A of 8 bits, or C, M, Y, K with 255 = full ink where the
/// header's space is CMYK or YCCK. Missing and corrupt data are DAMAGED, where libjpeg itself would only warn.
/// `reduction` 2 makes half the width and height, rounded up, 1 all of it.
decal_status decal_jpeg_read(
  const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint32_t reduction, uint8_t *pixels,
  decal_report *report);

/// The rows that `decal_jpeg_sample` gives for a height: the first 8 of each 128.
uint32_t decal_jpeg_sampled_rows(uint32_t height);

/// Decodes some rows of a JPEG of one scan and without ink, as R, G, B, A.
decal_status decal_jpeg_sample(
  const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels, decal_report *report);

/// The version of libjpeg-turbo that Decal was compiled against.
const char *decal_jpeg_version(void);

// WebP

typedef struct {
  uint32_t width;
  uint32_t height;
  int has_alpha;
  int is_animated;
  int is_lossless;
} decal_webp_header;

/// Reads the header of a WebP.
decal_status decal_webp_read_header(const uint8_t *bytes, size_t count, decal_webp_header *header);

/// Decodes a still WebP of the size its header says into straight R, G, B, A.
decal_status decal_webp_read(
  const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels);

/// An animated WebP being composed; it owns a copy of the file.
typedef struct decal_webp_animation decal_webp_animation;

/// Opens a whole animated WebP; NULL where it is damaged.
decal_webp_animation *decal_webp_open(const uint8_t *bytes, size_t count);
/// Frees it.
void decal_webp_close(decal_webp_animation *animation);
/// Composes the next frame over transparency. `pixels` points at straight R, G, B, A that last until the next call.
decal_status decal_webp_next(decal_webp_animation *animation, const uint8_t **pixels);

/// The version of libwebp that is linked, as 0x010204 for 1.2.4.
int decal_webp_version(void);

// Color profiles

/// An opened ICC profile.
typedef struct decal_profile decal_profile;
/// A conversion from a profile's numbers to linear-light sRGB.
typedef struct decal_transform decal_transform;

/// Opens a profile; NULL where it is broken.
decal_profile *decal_profile_open(const uint8_t *bytes, size_t count);
void decal_profile_close(decal_profile *profile);
/// Writes the description, in English where there is a choice, as UTF-8 with its final zero; empty where there is none.
void decal_profile_describe(decal_profile *profile, char *text, size_t room);
/// Where the profile is three curves and a matrix: the XYZ (D50) of red, green, blue, in that order. Returns 0 elsewhere.
int decal_profile_matrix(decal_profile *profile, double xyz[9]);
/// Samples the curve of channel 0, 1 or 2 of such a profile at `count` even steps from 0 to 1. Returns 0 on failure.
int decal_profile_curve(decal_profile *profile, int channel, float *values, int count);
/// Makes a conversion: relative colorimetric, with black point compensation. `channels` is 1, 3 or 4.
decal_transform *decal_transform_open(decal_profile *profile, int channels);
void decal_transform_close(decal_transform *transform);
/// Converts pixels: samples from 0 to 1 in (ink: 0 to 100), three linear samples out, not clipped.
void decal_transform_run(decal_transform *transform, const float *from, float *to, size_t pixels);

/// The version of Little CMS that is linked, as 2140 for 2.14.
int decal_lcms_version(void);

// SHA-256

/// Takes blocks of 64 bytes into a state of eight words, with the 64 constants of the rounds, by the processor's own
/// instructions; 0, and nothing done, where it has none.
int decal_sha256(uint32_t *state, const uint8_t *blocks, size_t count, const uint32_t *round_constants);
