#pragma once
/// The only C of the project: every setjmp, error and warning callback of the image libraries lives behind this header.
