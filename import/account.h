/* import/account.h - what became of all that was read.
 *
 * Every object is counted once, under its kind, with what became of it.  Every
 * setting that has no effect here, and every assumption, is a note: told once,
 * with the place of its first occurrence and the number of all.
 */
#ifndef IMPORT_ACCOUNT_H
#define IMPORT_ACCOUNT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct gs_ynode;

enum import_fate {
    IMPORT_USED,    /* it is part of what was made */
    IMPORT_NOTHING, /* a known kind that no scheduling decision depends on */
    IMPORT_UNUSED,  /* a known kind that changes decisions there, not here */
    IMPORT_UNKNOWN, /* a kind that no reader understands */
    IMPORT_REFUSED, /* a mistake in it: a note says which */
    IMPORT_FATES
};

enum import_note {
    IMPORT_BECAME,  /* a setting of a scheduler, and the module that does it */
    IMPORT_ASSUMED, /* a value that the source does not state */
    IMPORT_IGNORED, /* a setting that changes decisions there, not here */
    IMPORT_LEFT,    /* an object, or a part of it, that was left out */
    IMPORT_NOTES
};

struct import_account; /* opaque */

struct import_account *import_account_create(void);
void import_account_destroy(struct import_account *a); /* NULL is fine */

/* Count an object called `kind`. */
void import_account_count(struct import_account *a, const char *kind,
                          enum import_fate fate);

/* Count `many` of them. */
void import_account_add(struct import_account *a, const char *kind,
                        enum import_fate fate, uint32_t many);

/* Tell a note, once for each text.  `at` (may be NULL) is its place in
 * `source` (may be NULL).
 */
void import_account_tell(struct import_account *a, enum import_note note,
                         const char *source, const struct gs_ynode *at,
                         const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void import_account_vtell(struct import_account *a, enum import_note note,
                          const char *source, const struct gs_ynode *at,
                          const char *fmt, va_list ap)
    __attribute__((format(printf, 5, 0)));

/* Objects with that fate. */
uint32_t import_account_sum(const struct import_account *a,
                            enum import_fate fate);

/* How many notes of a kind there are, and the text of the i-th. */
uint32_t import_account_notes(const struct import_account *a,
                              enum import_note note);
const char *import_account_note(const struct import_account *a,
                                enum import_note note, uint32_t i);

/* Its first place, without a source when none was told. */
struct gs_mark import_account_place(const struct import_account *a,
                                    enum import_note note, uint32_t i);

/* Why nothing was of use, in `buf` of `size` bytes: the first note on what was
 * left out, else the kinds that were counted.  Returns buf.
 */
const char *import_account_reason(const struct import_account *a, char *buf,
                                  size_t size);

/* The account as text: objects by kind in the order of their names, then the
 * notes in the order of telling.
 */
void import_account_print(const struct import_account *a, FILE *out);

/* In short, in lines that begin with `before`: what became of how many objects,
 * and the first `most` notes of each sort, those that change most first.
 */
void import_account_print_short(const struct import_account *a, uint32_t most,
                                const char *before, FILE *out);

#endif /* IMPORT_ACCOUNT_H */
