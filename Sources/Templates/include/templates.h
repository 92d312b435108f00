#ifndef DECAL_TEMPLATES_H
#define DECAL_TEMPLATES_H

#include <stddef.h>

/// A file of templates/.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t count;
} decal_template;

/// templates/preview.html
extern const decal_template decal_preview_html;

#endif
