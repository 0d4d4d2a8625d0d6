/* libeccel: jobs for elliptic-curve accelerators.
   SPDX-License-Identifier: Apache-2.0

   A handle (`eccel`) stands for one device or several. Work goes to the device that will be free first; a device that
   fails is taken out of service and tried again later. Numbers are byte strings, most significant byte first. Every
   function may be called from any thread, unless it says otherwise. No function calls exit, prints, or changes signal
   handling.

       eccel *engine;
       const eccel_curve *curve = eccel_curve_named("P-256");
       uint8_t r[ECCEL_MAX_BYTES], s[ECCEL_MAX_BYTES];
       int result = eccel_open(&engine, "unix:/run/eccel.sock", NULL);
       if (!result) result = eccel_ecdsa_sign(engine, curve, digest, 32, key, 32, r, s);
       if (result) fprintf(stderr, "%s\n", eccel_advice(result));

   Results. Functions that return `int` return 0 for success, a positive status of the engine (docs/architecture.md,
   "Status codes"), or a negative error of this library. */
#ifndef ECCEL_H
#define ECCEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ECCEL_VERSION_MAJOR 1
#define ECCEL_VERSION_MINOR 0
#define ECCEL_MAX_BYTES 80 /* no coordinate and no scalar is longer */

#if defined(__GNUC__)
#define ECCEL_API __attribute__((visibility("default")))
#else
#define ECCEL_API
#endif

typedef struct eccel eccel;
typedef struct eccel_curve eccel_curve;
typedef struct eccel_job eccel_job;

/* ------------------------------------------------------------------ codes */

/* Status of the engine: see docs/architecture.md. */
enum eccel_status {
    ECCEL_OK = 0x00,
    ECCEL_INFINITY = 0x01,
    ECCEL_BAD_SIGNATURE = 0x02,
    ECCEL_BAD_OP = 0x10,
    ECCEL_BAD_LENGTH = 0x11,
    ECCEL_BAD_CURVE = 0x12,
    ECCEL_NOT_ON_CURVE = 0x13,
    ECCEL_COORD_RANGE = 0x14,
    ECCEL_SCALAR_RANGE = 0x15,
    ECCEL_BAD_MODULUS = 0x16,
    ECCEL_NO_KEY = 0x17,
    ECCEL_EXCEPTIONAL = 0x18,
    ECCEL_NO_ENTROPY = 0x19,
    ECCEL_SELF_TEST_FAILED = 0x1a,
    ECCEL_ZEROISED = 0x1b,
    ECCEL_RETRY = 0x1c,
    ECCEL_ENGINE_FAULT = 0x1d,
    ECCEL_ENTROPY_FAILED = 0x1e,
    ECCEL_KEY_REFUSED = 0x1f,
    ECCEL_WATCHDOG = 0x3b,
    ECCEL_FAULT = 0x5b
};

/* Errors of this library. */
enum eccel_error {
    ECCEL_ERROR_ARGUMENT = -1,    /* an argument is malformed or out of range */
    ECCEL_ERROR_MEMORY = -2,      /* no memory */
    ECCEL_ERROR_ABSENT = -3,      /* no device can be reached */
    ECCEL_ERROR_UNSUPPORTED = -4, /* no device takes this curve or operation */
    ECCEL_ERROR_BUSY = -5,        /* the queue is full: try again later */
    ECCEL_ERROR_TIMEOUT = -6,     /* no answer in time; the job may still have an effect on the device */
    ECCEL_ERROR_LINK = -7,        /* the device went away, or its answer was malformed */
    ECCEL_ERROR_CANCELLED = -8,   /* the job was cancelled, or its handle closed */
    ECCEL_ERROR_FORKED = -9       /* the job belongs to the parent process */
};

enum eccel_op {
    ECCEL_OP_MUL = 0x01,
    ECCEL_OP_BASE_MUL = 0x02,
    ECCEL_OP_DOUBLE_MUL = 0x03,
    ECCEL_OP_POINT_ADD = 0x04,
    ECCEL_OP_ON_CURVE = 0x05,
    ECCEL_OP_ECDH = 0x06,
    ECCEL_OP_ECDSA_SIGN = 0x07,
    ECCEL_OP_ECDSA_VERIFY = 0x08,
    ECCEL_OP_KEYGEN = 0x09,
    ECCEL_OP_KEY_LOAD = 0x0a,
    ECCEL_OP_MOD_MUL = 0x10,
    ECCEL_OP_MOD_INV = 0x11,
    ECCEL_OP_MOD_EXP = 0x12,
    ECCEL_OP_MOD_ADD = 0x13,
    ECCEL_OP_MOD_SUB = 0x14,
    ECCEL_OP_X_LADDER = 0x18,
    ECCEL_OP_CURVE_LOAD = 0x20, /* sent by the library itself */
    ECCEL_OP_ZEROISE = 0x21,
    ECCEL_OP_SELF_TEST = 0x22
};

enum eccel_flag {
    ECCEL_FLAG_KEY = 1 << 0,
    ECCEL_FLAG_RANDOM = 1 << 1,
    ECCEL_FLAG_BLIND = 1 << 2,
    ECCEL_FLAG_MOD_N = 1 << 3, /* modular jobs */
    ECCEL_FLAG_CHECK = 1 << 3, /* jobs on points */
    ECCEL_FLAG_COFACTOR = 1 << 4,
    ECCEL_FLAG_NO_SIGN = 1 << 5,
    ECCEL_FLAG_NO_AGREE = 1 << 6,
    ECCEL_FLAG_HOST_NONCE = 1 << 7
};

/* The name of a result ("NOT_ON_CURVE", "ERROR_TIMEOUT"). Never NULL. */
ECCEL_API const char *eccel_result_name(int result);

/* One sentence for the user: what the result means and what to do. Never NULL. */
ECCEL_API const char *eccel_advice(int result);

/* ------------------------------------------------------------------ curves */

/* A curve of the catalogue by its name or an alias ("P-256", "prime256v1", "secp256r1"), NULL if there is none. Letter
   case does not matter. */
ECCEL_API const eccel_curve *eccel_curve_named(const char *name);

/* Curve number `index` of the catalogue, NULL after the last. */
ECCEL_API const eccel_curve *eccel_curve_at(size_t index);

enum eccel_kind { ECCEL_WEIERSTRASS = 0, ECCEL_MONTGOMERY = 1, ECCEL_BINARY = 2 };

/* Numbers of a curve of one's own, each `bytes` long (at most ECCEL_MAX_BYTES). order is n, cofactor h. Binary: p is
   the polynomial with all its terms. Montgomery: a is A, and b is not used. */
struct eccel_parameters {
    enum eccel_kind kind;
    size_t bytes;
    const uint8_t *p, *a, *b, *gx, *gy, *order;
    uint32_t cofactor;
};

/* A curve of one's own; the caller frees it with eccel_curve_free after the last job. Equal parameters share a loaded
   curve. The engine checks them at the first job (BAD_MODULUS). Returns NULL if a number is malformed. */
ECCEL_API eccel_curve *eccel_curve_new(const struct eccel_parameters *parameters);
ECCEL_API void eccel_curve_free(eccel_curve *curve);

ECCEL_API const char *eccel_curve_name(const eccel_curve *curve); /* "" if it has none */
ECCEL_API enum eccel_kind eccel_curve_kind(const eccel_curve *curve);
ECCEL_API size_t eccel_curve_field_bytes(const eccel_curve *curve); /* of a coordinate */
ECCEL_API size_t eccel_curve_order_bytes(const eccel_curve *curve); /* of a scalar modulo n */
ECCEL_API unsigned eccel_curve_order_bits(const eccel_curve *curve);

/* ------------------------------------------------------------------ devices */

struct eccel_options {
    unsigned timeout_ms;    /* of one job, from submission; 0: 10,000 */
    unsigned retry_ms;      /* after which a failed device is tried again; 0: 1,000 */
    unsigned max_in_flight; /* jobs that a handle holds, queued ones included; 0: 4,096 */
    unsigned connect_ms;    /* for eccel_open to reach a device; 0: 2,000 */
};

/* Opens the devices of `uris`, separated by spaces or commas:
       model:PATH              the Verilated library of a configuration with its images, a folder made by
                               `eccel build CONFIG --model PATH`; runs in this process
       unix:PATH, tcp:HOST:PORT   a server (`eccel serve`)
       uart:PATH[?baud=N]      a board behind a serial port
       uio:PATH[?window=N]     the AXI4-Lite shell, mapped from a UIO device or a file
   A board, a shell with one window, and a model are reset when they are opened. `options` may be NULL. Succeeds if one
   device can be reached; the others are tried again later. On failure *handle is NULL, and eccel_open_error() of the
   same thread says why. */
ECCEL_API int eccel_open(eccel **handle, const char *uris, const struct eccel_options *options);
ECCEL_API const char *eccel_open_error(void);

/* Ends all jobs with ERROR_CANCELLED, then frees the handle. NULL is allowed. No other call may use the handle. */
ECCEL_API void eccel_close(eccel *handle);

/* After fork(), a child may go on using a handle: it gets connections of its own at its first call, and jobs of the
   parent end in the child with ERROR_FORKED at eccel_wait. Devices of kind model, uart and uio stay the parent's:
   they are absent in the child. A child that uses eccel_fd asks for it again. */

struct eccel_device_info {
    char uri[256];
    char name[64];        /* of the configuration, "" if unknown */
    int in_service;       /* 1: takes jobs */
    int last_error;       /* why it does not, or did not */
    unsigned in_flight;   /* jobs sent and not answered */
    unsigned queued;      /* jobs that wait in this library */
    uint64_t jobs;        /* answered since eccel_open */
    uint64_t failures;    /* times it was taken out of service */
    uint64_t clock_khz;   /* nominal clock of the engine, 0 if unknown */
    int paced;            /* 1: results are computed in software after the time that the engine would take */
    unsigned curve_loads; /* curves loaded into its engines, modulo 2^32 */
};

/* Number of devices, and a snapshot of one of them. Returns ECCEL_ERROR_ARGUMENT if there is no such device. */
ECCEL_API size_t eccel_device_count(const eccel *handle);
ECCEL_API int eccel_device(eccel *handle, size_t index, struct eccel_device_info *info);

/* ------------------------------------------------------------------ jobs */

/* A job goes to the device that will be free first. If that device fails, the job is sent to another one once. A job that
   uses the key slot, or sets its key, goes to the device that holds the key of its curve, and is never sent twice. While
   a key is in the slot of an engine, the engine keeps its curve: jobs on another curve go to another device, or end with
   ECCEL_ERROR_UNSUPPORTED; another key ends with ECCEL_KEY_REFUSED. ZEROISE without a curve wipes the keys of all
   devices in service. */

#define ECCEL_MAX_OPERANDS 5
#define ECCEL_MAX_RESULTS 2

enum eccel_request_option {
    /* The flag BLIND on engines that have it. Those that do not, as turbo-generic256, compute without it; with the flag
       itself, they answer BAD_OP. */
    ECCEL_BLIND_IF_POSSIBLE = 1 << 0
};

struct eccel_operand {
    const uint8_t *bytes; /* most significant first; leading zeros are allowed */
    size_t length;
};

struct eccel_request {
    uint8_t op;                /* enum eccel_op */
    uint8_t flags;             /* enum eccel_flag */
    uint8_t options;           /* enum eccel_request_option */
    const eccel_curve *curve;  /* must live until the job is done; NULL only for ZEROISE and SELF_TEST */
    unsigned operands;         /* number, in the order of docs/architecture.md */
    struct eccel_operand operand[ECCEL_MAX_OPERANDS];
};

struct eccel_result {
    int result;                /* 0, a status of the engine, or an error of the library */
    unsigned values;           /* results of the engine: 0 unless result is OK or INFINITY */
    size_t bytes;              /* of each value */
    uint8_t value[ECCEL_MAX_RESULTS][ECCEL_MAX_BYTES]; /* the first `bytes` bytes of each count */
    uint64_t cycles;           /* clocks of the engine from request to response, 0 if the device does not tell */
    size_t device;             /* index of the device that did it */
};

/* Called exactly once for each submitted job, from a thread of the library, or from eccel_poll and eccel_wait where
   there are no threads. It must not block, may submit, and must not close the handle. The result is wiped after it
   returns. */
typedef void eccel_done(void *user, const struct eccel_result *result);

/* Submits a job and returns at once. The operands are copied. If it returns other than 0, `done` is not called. */
ECCEL_API int eccel_submit(eccel *handle, const struct eccel_request *request, eccel_done *done, void *user);

/* The same with a handle to wait for: eccel_wait returns the result, eccel_job_free frees the job, which also cancels
   it. eccel_job_done: 1 if the result is there. A job may be waited for by one thread at a time. timeout_ms < 0: no
   limit but that of the job. eccel_wait returns ECCEL_ERROR_TIMEOUT if the time is over, and may be called again. */
ECCEL_API int eccel_start(eccel *handle, const struct eccel_request *request, eccel_job **job);
ECCEL_API int eccel_job_done(const eccel_job *job);
ECCEL_API int eccel_wait(eccel_job *job, int timeout_ms, struct eccel_result *result);
ECCEL_API void eccel_job_free(eccel_job *job);

/* Submits a job and waits for it. Returns result->result. */
ECCEL_API int eccel_run(eccel *handle, const struct eccel_request *request, struct eccel_result *result);

/* A descriptor that is readable while finished jobs of eccel_start wait to be looked at, for poll() and event loops.
   eccel_poll clears it. -1 where there are no descriptors. eccel_poll also does the work of the library where there
   are no threads; it returns the number of jobs in flight. */
ECCEL_API int eccel_fd(eccel *handle);
ECCEL_API size_t eccel_poll(eccel *handle);

/* ------------------------------------------------------------------ helpers */

/* All lengths are those of the curve: coordinates have eccel_curve_field_bytes, scalars eccel_curve_order_bytes, unless
   a length is given. Secret scalars are blinded if the engine can do that, and nonces
   come from the engine. */

/* digest: the hash; the leftmost order_bits of it count. */
ECCEL_API int eccel_ecdsa_sign(eccel *handle, const eccel_curve *curve, const uint8_t *digest, size_t digest_length,
                               const uint8_t *d, size_t d_length, uint8_t *r, uint8_t *s);
/* 0: valid. ECCEL_BAD_SIGNATURE: not valid. Anything else: not known. */
ECCEL_API int eccel_ecdsa_verify(eccel *handle, const eccel_curve *curve, const uint8_t *digest, size_t digest_length,
                                 const uint8_t *r, const uint8_t *s, const uint8_t *x, const uint8_t *y);
ECCEL_API int eccel_ecdh(eccel *handle, const eccel_curve *curve, const uint8_t *x, const uint8_t *y, const uint8_t *d,
                         size_t d_length, int cofactor, uint8_t *shared);
/* The public key of d. */
ECCEL_API int eccel_public_key(eccel *handle, const eccel_curve *curve, const uint8_t *d, size_t d_length, uint8_t *x,
                               uint8_t *y);
ECCEL_API int eccel_on_curve(eccel *handle, const eccel_curve *curve, const uint8_t *x, const uint8_t *y);

/* Tests every device in service: its SELF_TEST, and on `curve` (NULL: one that it takes) a published signature that
   must verify, the same with one bit changed that must not, and a published ECDH; where nothing was published, what the
   golden model computes. A device with a wrong answer stays out of service until the handle is closed. Returns 0 if all
   of them pass, ECCEL_SELF_TEST_FAILED if one fails, ECCEL_ERROR_UNSUPPORTED if `curve` is not of the catalogue. */
ECCEL_API int eccel_self_test(eccel *handle, const eccel_curve *curve);

/* Overwrites memory in a way that compilers do not remove. */
ECCEL_API void eccel_wipe(void *memory, size_t bytes);

/* ------------------------------------------------------------------ microcontrollers */

/* One engine behind the AXI4-Lite shell (docs/registers.md) without an operating system: no threads, no allocation, and
   of the C library only memcpy, memset and memcmp. `make -C sw freestanding` builds it. Of this header it has what is
   below, and the curves of the catalogue, results' names and eccel_wipe. A struct eccel_mmio must not be used by two
   callers at once. */

struct eccel_bus {
    uint32_t (*read)(void *context, uint32_t offset); /* offsets in bytes from the beginning of the shell */
    void (*write)(void *context, uint32_t offset, uint32_t word);
    void *context; /* of these functions, and of those of struct eccel_mmio_io */
};

struct eccel_mmio_io {
    struct eccel_bus bus;
    uint32_t (*random)(void *context);       /* a true random word; NULL if the entropy port feeds the engine */
    uint32_t (*milliseconds)(void *context); /* a clock that may wrap */
    unsigned timeout_ms;                     /* of one job; 0: 10,000 */
};

/* The caller gives the memory; the members are the library's. */
struct eccel_mmio {
    struct eccel_mmio_io io;
    const eccel_curve *curve; /* that is loaded */
    unsigned window, windows, curve_id, tag;
    int key;
    uint32_t base, config, packet[148], response[40];
};

/* Finds the shell, and resets the engine unless the shell has several windows. Returns 0 or an error. */
ECCEL_API int eccel_mmio_open(struct eccel_mmio *device, const struct eccel_mmio_io *io, unsigned window);

/* Runs a job and waits for it; loads its curve first if another one is loaded. The curve must live until another one
   is used. A job on another curve than that of a key in the slot ends with ECCEL_ERROR_UNSUPPORTED. */
ECCEL_API int eccel_mmio_run(struct eccel_mmio *device, const struct eccel_request *request,
                             struct eccel_result *result);

/* Wipes the struct. The engine keeps its key: run ECCEL_OP_ZEROISE before if it must not. */
ECCEL_API void eccel_mmio_close(struct eccel_mmio *device);

#ifdef __cplusplus
}
#endif

#endif
