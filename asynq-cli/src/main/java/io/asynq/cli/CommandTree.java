package io.asynq.cli;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ScopeType;

/**
 * All commands, the options that each of them has, and the order in which help says what
 * is particular to a command and, last, where Redis is.
 */
final class CommandTree {

	private static final Set<String> CONNECTION_FLAGS = Set.of("--uri", "--db", "--username", "--password", "--cluster",
			"--cluster_addrs", "--tls", "--tls_server", "--insecure", "--config");

	private CommandTree() {
	}

	static CommandLine of(Surroundings surroundings) {
		return of(surroundings, "completion");
	}

	/**
	 * Returns the commands that a command line may mean: reading those of a group that it
	 * does not name would take a third of the time that short commands need.
	 */
	static CommandLine of(Surroundings surroundings, String... args) {
		Set<String> words = new HashSet<>(Arrays.asList(args));
		List<OptionSpec> options = globalOptions();
		Invocation invocation = new Invocation(options, surroundings);
		CommandSpec spec = CommandSpec.wrapWithoutInspection(new RootCommands(invocation))
			.name("asynq")
			.version("asynq version " + RootCommands.version());
		spec.usageMessage()
			.description("Looks at queues and tasks of asynq, and acts on them.")
			.footer("  asynq stats", "  asynq task ls -q default -s retry", "  asynq task cancel --help");
		options.forEach(spec::addOption);
		spec.addOption(
				OptionSpec.builder("-v", "--version").versionHelp(true).description("Print the version.").build());
		CommandLine root = new CommandLine(spec);
		root.addSubcommand(new StatsCommand(invocation));
		group(root, words, new QueueCommands(invocation), "list", "inspect", "history", "pause", "resume", "remove");
		group(root, words, new TaskCommands(invocation), "list", "inspect", "enqueue", "updatePayload", "cancel", "run",
				"archive", "delete", "runAll", "archiveAll", "deleteAll");
		group(root, words, new FleetCommands.Groups(invocation), "list");
		group(root, words, new FleetCommands.Servers(invocation), "list");
		group(root, words, new FleetCommands.Limits(invocation), "list", "inspect");
		group(root, words, new FleetCommands.Cron(invocation), "list", "history");
		group(root, words, new FailureCommands(invocation), "list", "retry", "archive");
		methods(root, RootCommands.class, "dash");
		root.addSubcommand(new DoctorCommand(invocation));
		methods(root, RootCommands.class, "tail", "printVersion", "completion");
		sections(root);
		Mistakes mistakes = new Mistakes();
		return root.setOut(surroundings.out())
			.setErr(surroundings.err())
			.setExpandAtFiles(false)
			.setAllowOptionsAsOptionParameters(true)
			.setParameterExceptionHandler(mistakes)
			.setExecutionExceptionHandler(mistakes);
	}

	/** Adds from the root on, so that all get the global options. */
	private static void group(CommandLine root, Set<String> words, Object commands, String... methods) {
		CommandLine group = new CommandLine(commands);
		root.addSubcommand(group);
		if (words.contains(group.getCommandName()) || words.contains("completion")
				|| words.contains("generate-completion")) {
			methods(group, commands.getClass(), methods);
		}
	}

	private static void methods(CommandLine group, Class<?> type, String... methods) {
		for (String method : methods) {
			CommandLine.getCommandMethods(type, method).forEach((found) -> group.addSubcommand(new CommandLine(found)));
		}
	}

	/**
	 * Values come from the command line, else from variables or a file, so these have no
	 * defaults.
	 */
	private static List<OptionSpec> globalOptions() {
		return Stream.of(option("<file>", "File with default values of flags (default: ~/.asynq.yaml).", "--config"),
				option("<uri>",
						"Where Redis is: host:port, redis://, rediss://, redis-sentinel:// or redis-cluster:// "
								+ "(default: 127.0.0.1:6379).",
						"-u", "--uri"),
				option("<number>", "Number of the database (default: 0).", "-n", "--db"),
				option("<password>", "Password; others see it in the list of processes, but not ASYNQ_PASSWORD.", "-p",
						"--password"),
				option("<name>", "Name of the user.", "-U", "--username"), flag("Redis is a cluster.", "--cluster"),
				option("<host:port,…>", "Nodes of the cluster (default: 127.0.0.1:7000 to 7005).", "--cluster_addrs"),
				flag("Use TLS.", "--tls"),
				option("<name>", "Use TLS, and expect this name in the certificate.", "--tls_server"),
				flag("Accept any certificate.", "--insecure"),
				option("<format>", "table, wide, json or jsonl (default: table).", "-o", "--output")
					.completionCandidates(
							Stream.of(Invocation.OutputFormat.values()).map(Invocation.OutputFormat::word).toList()),
				OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help."))
			.map((option) -> option.scopeType(ScopeType.INHERIT).build())
			.toList();
	}

	private static OptionSpec.Builder option(String label, String description, String... names) {
		return OptionSpec.builder(names).type(String.class).paramLabel(label).description(description);
	}

	private static OptionSpec.Builder flag(String description, String name) {
		return OptionSpec.builder(name).type(Boolean.class).negatable(true).description(description);
	}

	private static void sections(CommandLine root) {
		Map<String, IHelpSectionRenderer> sections = new HashMap<>(root.getHelpSectionMap());
		sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, (help) -> help.abbreviatedSynopsis() + "\n");
		titled(sections, UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, "Arguments",
				sections.get(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST));
		titled(sections, UsageMessageSpec.SECTION_KEY_COMMAND_LIST, "Commands",
				sections.get(UsageMessageSpec.SECTION_KEY_COMMAND_LIST));
		titled(sections, UsageMessageSpec.SECTION_KEY_OPTION_LIST, "Options", (help) -> options(help, false));
		titled(sections, "example", "Example", Help::footer);
		titled(sections, "connection", "Connection", (help) -> options(help, true));
		root.setHelpSectionMap(sections);
		root.setHelpSectionKeys(List.of(UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
				UsageMessageSpec.SECTION_KEY_SYNOPSIS, UsageMessageSpec.SECTION_KEY_DESCRIPTION,
				UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
				UsageMessageSpec.SECTION_KEY_OPTION_LIST, "example", "connection"));
	}

	private static void titled(Map<String, IHelpSectionRenderer> sections, String key, String title,
			IHelpSectionRenderer renderer) {
		sections.put(key, (help) -> {
			String text = renderer.render(help);
			return text.isEmpty() ? "" : "\n" + title + ":\n" + text;
		});
	}

	private static String options(Help help, boolean ofConnection) {
		return help.optionListExcludingGroups(help.commandSpec()
			.options()
			.stream()
			.filter((option) -> CONNECTION_FLAGS.contains(option.longestName()) == ofConnection)
			.toList());
	}

}
