// Files of templates/, taken into the binary as they are; the compiler builds again where one changes.
#include "templates.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char preview_html[] = {
#embed "../../templates/preview.html"
};

const decal_template decal_preview_html = {preview_html, sizeof preview_html};
