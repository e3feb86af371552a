# SPDX-License-Identifier: BSD-3-Clause
# Section 3 is made of the tables of the API: a page for each contract, in
# man/man3 of the build tree, and a symbolic link to it for each other name of
# a routine. man/links is the list of these. A new row needs nothing here.
dist_man_MANS += man/oshcc.1 man/shmemx_get_uniqueid.3 \
	man/shmemx_init_attr.3 man/shmemx_kernels.7 man/sirocco.7
EXTRA_DIST += man/contracts.awk man/pages.awk docs/CONTRIBUTING.md \
	docs/LAUNCHING.md docs/MOE.md docs/USING.md

noinst_PROGRAMS += man/rows
man_rows_SOURCES = man/rows.c
man_rows_LDADD =

# Of the text, so that a page does not depend on when it was built.
MAN_DATE = 2026-11-29

noinst_DATA = man/links
man/links: man/rows$(EXEEXT) man/contracts.awk man/pages.awk \
		$(shmeminclude_HEADERS)
	$(AM_V_GEN)rm -rf man/man3 && $(MKDIR_P) man/man3 && \
	man/rows$(EXEEXT) >man/rows.tsv && \
	$(AWK) -v out=man/man3 -v date=$(MAN_DATE) \
		-v release='Sirocco $(PACKAGE_VERSION)' \
		-f $(srcdir)/man/contracts.awk -f $(srcdir)/man/pages.awk \
		man/rows.tsv \
		$(srcdir)/include/shmem/generic.h \
		$(srcdir)/include/shmem/exchange.h \
		`sed -n 's|^#include <\(.*\)>|$(srcdir)/include/\1|p' \
			$(srcdir)/include/shmem/tables.def` \
		$(srcdir)/include/shmem/kernel.def \
		$(srcdir)/include/shmem/stream.def \
		$(srcdir)/include/shmem/exchange.def \
		$(srcdir)/include/shmem/moe.def \
		$(srcdir)/include/shmem/network.def >$@.tmp && \
	while read name page; do \
		ln -s $$page.3 man/man3/$$name.3 || exit 1; \
	done <$@.tmp && mv $@.tmp $@
CLEANFILES += man/links man/links.tmp man/rows.tsv man/man3/*.3

install-data-local: man/links
	$(MKDIR_P) '$(DESTDIR)$(man1dir)' '$(DESTDIR)$(man3dir)'
	$(INSTALL_DATA) `find man/man3 -type f` '$(DESTDIR)$(man3dir)'
	@echo "installing `wc -l <man/links` links in $(DESTDIR)$(man3dir)"; \
	cp -Pf `find man/man3 -type l` '$(DESTDIR)$(man3dir)'
	rm -f '$(DESTDIR)$(man1dir)/oshc++.1'
	ln -s oshcc.1 '$(DESTDIR)$(man1dir)/oshc++.1'

uninstall-local: man/links
	(cd man/man3 && ls) | (cd '$(DESTDIR)$(man3dir)' && xargs rm -f)
	rm -f '$(DESTDIR)$(man1dir)/oshc++.1'
