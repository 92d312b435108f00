#include <lcms2.h>
#include <stdlib.h>
#include <string.h>

#include "ccodecs.h"

/// R, G, B without alpha, float; and the float form of each input.
#define LINEAR_RGB (FLOAT_SH(1) | COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | BYTES_SH(4))

static cmsUInt32Number input_format(int channels) {
  switch (channels) {
  case 1: return FLOAT_SH(1) | COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | BYTES_SH(4);
  case 4: return FLOAT_SH(1) | COLORSPACE_SH(PT_CMYK) | CHANNELS_SH(4) | BYTES_SH(4);
  default: return LINEAR_RGB;
  }
}

decal_profile *decal_profile_open(const uint8_t *bytes, size_t count) {
  if (count > UINT32_MAX) return NULL;
  return (decal_profile *)cmsOpenProfileFromMem(bytes, (cmsUInt32Number)count);
}

void decal_profile_close(decal_profile *profile) {
  if (profile) cmsCloseProfile((cmsHPROFILE)profile);
}

void decal_profile_describe(decal_profile *profile, char *text, size_t room) {
  wchar_t wide[256];
  text[0] = 0;
  if (!cmsGetProfileInfo((cmsHPROFILE)profile, cmsInfoDescription, "en", "US", wide, 256)) return;
  wide[255] = 0;
  size_t used = 0;
  for (const wchar_t *c = wide; *c && used + 1 < room; c++)
    text[used++] = *c >= 0x20 && *c < 0x7f ? (char)*c : '?';
  text[used] = 0;
}

static const cmsTagSignature colorants[3] = {
  cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
static const cmsTagSignature curves[3] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};

int decal_profile_matrix(decal_profile *profile, double xyz[9]) {
  cmsHPROFILE handle = (cmsHPROFILE)profile;
  if (!cmsIsMatrixShaper(handle) || cmsGetColorSpace(handle) != cmsSigRgbData) return 0;
  // Where a profile has tables too, they are what is meant.
  if (cmsIsTag(handle, cmsSigAToB0Tag) || cmsIsTag(handle, cmsSigAToB1Tag)) return 0;
  if (cmsIsTag(handle, cmsSigDToB0Tag) || cmsIsTag(handle, cmsSigDToB1Tag)) return 0;
  for (int i = 0; i < 3; i++) {
    const cmsCIEXYZ *color = cmsReadTag(handle, colorants[i]);
    if (!color || !cmsReadTag(handle, curves[i])) return 0;
    xyz[i * 3] = color->X;
    xyz[i * 3 + 1] = color->Y;
    xyz[i * 3 + 2] = color->Z;
  }
  return 1;
}

int decal_profile_curve(decal_profile *profile, int channel, float *values, int count) {
  const cmsToneCurve *curve = cmsReadTag((cmsHPROFILE)profile, curves[channel]);
  if (!curve) return 0;
  for (int i = 0; i < count; i++) values[i] = cmsEvalToneCurveFloat(curve, (float)i / (float)(count - 1));
  return 1;
}

static cmsHPROFILE make_linear_srgb(void) {
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE corners = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
  cmsToneCurve *line = cmsBuildGamma(NULL, 1);
  if (!line) return NULL;
  cmsToneCurve *lines[3] = {line, line, line};
  cmsHPROFILE made = cmsCreateRGBProfile(&white, &corners, lines);
  cmsFreeToneCurve(line);
  return made;
}

decal_transform *decal_transform_open(decal_profile *profile, int channels) {
  cmsHPROFILE to = make_linear_srgb();
  if (!to) return NULL;
  cmsHTRANSFORM made = cmsCreateTransform(
    (cmsHPROFILE)profile, input_format(channels), to, LINEAR_RGB, INTENT_RELATIVE_COLORIMETRIC,
    cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE);
  cmsCloseProfile(to);
  return (decal_transform *)made;
}

void decal_transform_close(decal_transform *transform) {
  if (transform) cmsDeleteTransform((cmsHTRANSFORM)transform);
}

void decal_transform_run(decal_transform *transform, const float *from, float *to, size_t pixels) {
  cmsDoTransform((cmsHTRANSFORM)transform, from, to, (cmsUInt32Number)pixels);
}

int decal_lcms_version(void) { return cmsGetEncodedCMMversion(); }
