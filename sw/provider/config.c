/* Reads the settings from the core.
   SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "provider.h"

void config_complain(struct config *config, const char *name, const char *value, const char *advice)
{
    if (config->complaint[0] == '\0')
        snprintf(config->complaint, sizeof config->complaint, "%s = %.100s: %s", name, value, advice);
}

static void parse_yes_no(struct config *config, const char *name, const char *text, bool *value)
{
    static const char *const words[] = {"no", "yes", "0", "1", "off", "on", "false", "true"};
    if (text == NULL)
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *value = i & 1;
            return;
        }
    config_complain(config, name, text, "write yes or no");
}

static void parse_number(struct config *config, const char *name, const char *text, unsigned *value)
{
    if (text == NULL)
        return;
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || number > 100000000)
        config_complain(config, name, text, "write a number up to 100000000");
    else
        *value = (unsigned)number;
}

struct rule {
    char curve[64];
    int operation; /* -1: all */
    bool hardware;
};

/* Reads one entry of a route and moves *text past it. Returns 1, 0 at the end, -1 if it is malformed. */
static int next_rule(const char **text, struct rule *rule)
{
    static const char *const names[OPERATIONS] = {"sign", "verify", "derive", "keygen", "keygen"};
    const char *start = *text + strspn(*text, ", \t");
    if (*start == '\0')
        return 0;
    const char *end = start + strcspn(start, ", \t");
    *text = end;
    const char *equals = memchr(start, '=', (size_t)(end - start));
    if (equals == NULL)
        return -1;
    const char *colon = memchr(start, ':', (size_t)(equals - start));
    size_t length = (size_t)((colon != NULL ? colon : equals) - start);
    if (length == 0 || length >= sizeof rule->curve)
        return -1;
    memcpy(rule->curve, start, length);
    rule->curve[length] = '\0';
    rule->operation = -1;
    if (colon != NULL) {
        size_t size = (size_t)(equals - colon - 1);
        for (int i = 0; i < OPERATION_KEYGEN; i++)
            if (strlen(names[i]) == size && strncasecmp(colon + 1, names[i], size) == 0)
                rule->operation = i;
        if (rule->operation < 0)
            return -1;
    }
    size_t size = (size_t)(end - equals - 1);
    rule->hardware = size == 8 && strncasecmp(equals + 1, "hardware", size) == 0;
    if (!rule->hardware && !(size == 8 && strncasecmp(equals + 1, "software", size) == 0))
        return -1;
    return strcmp(rule->curve, "*") == 0 || curves_nid(rule->curve) != 0 ? 1 : -1;
}

static void check_route(struct config *config)
{
    struct rule rule;
    int result = 1;
    for (const char *text = config->route; text != NULL && result > 0;)
        result = next_rule(&text, &rule);
    if (result < 0)
        config_complain(config, "route", config->route, "write CURVE=software, CURVE:sign=hardware, ..");
}

bool config_hardware(const struct config *config, int nid, int operation)
{
    bool hardware = true;
    struct rule rule;
    if (operation == OPERATION_KEYGEN)
        return true; /* software cannot put a key into a slot */
    for (const char *text = config->route; text != NULL && next_rule(&text, &rule) > 0;)
        if ((rule.operation < 0 || rule.operation == operation) &&
            (strcmp(rule.curve, "*") == 0 || (nid != 0 && curves_nid(rule.curve) == nid)))
            hardware = rule.hardware;
    return hardware;
}

void config_read(struct provider *provider)
{
    struct config *config = &provider->config;
    *config = (struct config){.fallback = true, .blind = true, .timeout_ms = 10000, .retry_ms = 1000,
                              .connect_ms = 2000, .max_in_flight = 4096};
    const char *fallback = NULL, *blind = NULL, *check = NULL, *below = NULL, *timeout = NULL, *retry = NULL, *connect = NULL,
               *in_flight = NULL;
#define SETTING(name, variable) OSSL_PARAM_utf8_ptr(name, (char **)(variable), 0)
    OSSL_PARAM settings[] = {
        SETTING("devices", &config->devices),
        SETTING("route", &config->route),
        SETTING("counters", &config->counters),
        SETTING("software", &config->software),
        SETTING("fallback", &fallback),
        SETTING("blind", &blind),
        SETTING("check", &check),
        SETTING("software-below", &below),
        SETTING("timeout-ms", &timeout),
        SETTING("retry-ms", &retry),
        SETTING("connect-ms", &connect),
        SETTING("max-in-flight", &in_flight),
        OSSL_PARAM_END,
    };
    if (provider->core_get_params != NULL && !provider->core_get_params(provider->core, settings))
        config_complain(config, "settings", "", "they cannot be read");
    parse_yes_no(config, "fallback", fallback, &config->fallback);
    parse_yes_no(config, "blind", blind, &config->blind);
    parse_yes_no(config, "check", check, &config->check);
    parse_number(config, "software-below", below, &config->software_below);
    parse_number(config, "timeout-ms", timeout, &config->timeout_ms);
    parse_number(config, "retry-ms", retry, &config->retry_ms);
    parse_number(config, "connect-ms", connect, &config->connect_ms);
    parse_number(config, "max-in-flight", in_flight, &config->max_in_flight);
    check_route(config);
}
