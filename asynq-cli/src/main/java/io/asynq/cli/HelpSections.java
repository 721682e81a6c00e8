package io.asynq.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Orders what help says: what is particular to a command comes first, where Redis is
 * comes last.
 */
final class HelpSections {

	private static final String CONNECTION = "connection";

	private static final String EXAMPLE = "example";

	private static final Set<String> CONNECTION_FLAGS = Set.of("--uri", "--db", "--username", "--password", "--cluster",
			"--cluster_addrs", "--tls", "--tls_server", "--insecure", "--config");

	private HelpSections() {
	}

	/** Gives a command and those below it these sections. */
	static void set(CommandLine root) {
		Map<String, IHelpSectionRenderer> sections = new HashMap<>(root.getHelpSectionMap());
		sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, (help) -> help.abbreviatedSynopsis() + "\n");
		titled(sections, UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, "Arguments");
		titled(sections, UsageMessageSpec.SECTION_KEY_COMMAND_LIST, "Commands");
		titled(sections, UsageMessageSpec.SECTION_KEY_OPTION_LIST, "Options", (help) -> options(help, false));
		titled(sections, EXAMPLE, "Example", Help::footer);
		titled(sections, CONNECTION, "Connection", (help) -> options(help, true));
		root.setHelpSectionMap(sections);
		root.setHelpSectionKeys(List.of(UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
				UsageMessageSpec.SECTION_KEY_SYNOPSIS, UsageMessageSpec.SECTION_KEY_DESCRIPTION,
				UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
				UsageMessageSpec.SECTION_KEY_OPTION_LIST, EXAMPLE, CONNECTION));
	}

	private static void titled(Map<String, IHelpSectionRenderer> sections, String key, String title) {
		titled(sections, key, title, sections.get(key));
	}

	private static void titled(Map<String, IHelpSectionRenderer> sections, String key, String title,
			IHelpSectionRenderer renderer) {
		sections.put(key, (help) -> {
			String text = renderer.render(help);
			return text.isEmpty() ? "" : "\n" + title + ":\n" + text;
		});
	}

	private static String options(Help help, boolean ofConnection) {
		List<OptionSpec> options = help.commandSpec()
			.options()
			.stream()
			.filter((option) -> CONNECTION_FLAGS.contains(option.longestName()) == ofConnection)
			.toList();
		return help.optionListExcludingGroups(options);
	}

}
