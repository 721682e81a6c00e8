package io.asynq.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every command says of itself.
 */
class HelpTests {

	private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

	private static final List<String> TITLES = List.of("Arguments:", "Commands:", "Options:", "Example:",
			"Connection:");

	static Stream<String> commands() {
		List<String> names = new ArrayList<>();
		collect(CommandTree.of(TestShell.nowhere()).getCommandSpec(), names);
		return names.stream();
	}

	@ParameterizedTest
	@MethodSource("commands")
	void saysWhatItDoesBeforeItsOptionsAndWhereRedisIsLast(String name) {
		CommandLine command = find(name);
		List<String> lines = command.getUsageMessage().lines().toList();
		assertThat(lines.get(0)).startsWith("Usage: " + name).hasSizeLessThan(80);
		assertThat(lines.get(1)).isEmpty();
		assertThat(lines.get(2)).isNotBlank().doesNotContain(":");
		List<String> titles = lines.stream().filter(TITLES::contains).toList();
		assertThat(titles).isSortedAccordingTo((a, b) -> TITLES.indexOf(a) - TITLES.indexOf(b))
			.endsWith("Options:", "Example:", "Connection:");
		List<String> last = lines.subList(lines.indexOf("Connection:"), lines.size());
		assertThat(flags(last)).containsExactlyInAnyOrder("--uri", "--db", "--username", "--password", "--cluster",
				"--cluster_addrs", "--tls", "--tls_server", "--insecure", "--config");
		List<String> first = lines.subList(0, lines.indexOf("Connection:"));
		assertThat(flags(first)).contains("--output", "--help").doesNotContain("--uri", "--config");
	}

	@ParameterizedTest
	@MethodSource("commands")
	void hasAnExampleThatIsUnderstood(String name) {
		List<String> lines = find(name).getUsageMessage().lines().toList();
		List<String> examples = lines.subList(lines.indexOf("Example:") + 1, lines.indexOf("Connection:") - 1);
		assertThat(examples).isNotEmpty().allSatisfy((example) -> {
			assertThat(example).startsWith("  asynq ").hasSizeLessThan(100);
			ParseResult parsed = CommandTree.of(TestShell.nowhere()).parseArgs(words(example));
			if (!find(name).getSubcommands().isEmpty()) {
				assertThat(example).startsWith("  " + name);
				return;
			}
			CommandSpec meant = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1).getCommandSpec();
			assertThat(meant.qualifiedName()).isEqualTo(name);
		});
	}

	private static List<String> flags(List<String> lines) {
		return lines.stream()
			.map(Pattern.compile("^ +(?:-\\w, )?(?:--\\[no-\\])?(--)?([\\w]+)")::matcher)
			.filter(Matcher::find)
			.filter((flag) -> flag.group().contains("--"))
			.map((flag) -> "--" + flag.group(2))
			.toList();
	}

	private static String[] words(String line) {
		return WORD.matcher(line)
			.results()
			.skip(1)
			.map((word) -> (word.group(1) != null) ? word.group(1) : word.group(2))
			.toArray(String[]::new);
	}

	private static CommandLine find(String name) {
		CommandLine command = CommandTree.of(TestShell.nowhere());
		for (String word : Arrays.asList(name.split(" ")).subList(1, name.split(" ").length)) {
			command = command.getSubcommands().get(word);
		}
		return command;
	}

	private static void collect(CommandSpec command, List<String> names) {
		names.add(command.qualifiedName());
		command.subcommands()
			.entrySet()
			.stream()
			.filter((child) -> child.getKey().equals(child.getValue().getCommandName()))
			.map(Map.Entry::getValue)
			.forEach((child) -> collect(child.getCommandSpec(), names));
	}

}
