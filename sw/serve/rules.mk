# The server. It is linked with the shared library, and has the codes of frames, packets and curves in common with it.
SERVE := $(B)/eccel-serve
SERVE_SHARED := driver/frame.c driver/packet.c driver/curve.c
SERVE_OBJECTS := $(call object,$(patsubst $(SW)/%,%,$(wildcard $(SW)/serve/*.c)) $(SERVE_SHARED))
BINDIR ?= $(PREFIX)/bin
SERVE_MAN := $(PREFIX)/share/man/man8/eccel-serve.8

serve: $(SERVE)

# Two places of the library: beside the program in the build folder, and ../lib where both are installed.
$(SERVE): $(SERVE_OBJECTS) $(LIB_SO)
	$(CC) $(SERVE_OBJECTS) -o $@ -L$(B) -leccel -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib' -lcrypto $(ALL_LDFLAGS)

.PHONY: install-serve uninstall-serve
install: install-serve
uninstall: uninstall-serve

install-serve: $(SERVE)
	install -D -m 755 $(SERVE) $(DESTDIR)$(BINDIR)/eccel-serve
	install -D -m 644 $(SW)/man/eccel-serve.8 $(DESTDIR)$(SERVE_MAN)

uninstall-serve:
	rm -f $(DESTDIR)$(BINDIR)/eccel-serve $(DESTDIR)$(SERVE_MAN)

-include $(SERVE_OBJECTS:.o=.d)

# What a job over a socket costs the host.
SERVE_BENCH := $(B)/eccel-serve-bench

.PHONY: serve-bench
serve-bench: $(SERVE_BENCH)

$(SERVE_BENCH): $(call object,serve/bench/serve_bench.c) $(LIB_SO)
	$(CC) $< -o $@ -L$(B) -leccel -Wl,-rpath,'$$ORIGIN' $(ALL_LDFLAGS)

-include $(call object,serve/bench/serve_bench.d)
