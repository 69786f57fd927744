/* base/yamltext.h - texts as YAML writes them. */
#ifndef GS_YAMLTEXT_H
#define GS_YAMLTEXT_H

#include <stddef.h>
#include <stdio.h>

/* `len` bytes as they stand within double quotes. */
void gs_yaml_put_escaped(FILE *out, const char *s, size_t len);

/* A scalar: in quotes unless it can be nothing but text. */
void gs_yaml_put_text(FILE *out, const char *s, size_t len);

#endif /* GS_YAMLTEXT_H */
