package io.asynq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import io.asynq.test.process.Repository;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The guide names every command, alias and flag.
 */
class CliDocumentationTests {

	private String guide = "";

	@Test
	void everyCommandAndFlagIsInTheGuide() throws IOException {
		this.guide = Files.readString(Repository.path("docs/cli.md"));
		List<String> missing = new ArrayList<>();
		look(CommandTree.of(TestShell.nowhere()), missing);
		assertThat(missing).isEmpty();
	}

	private void look(CommandLine command, List<String> missing) {
		String name = command.getCommandSpec().qualifiedName();
		boolean group = !command.getSubcommands().isEmpty();
		if (!group && !this.guide.contains("`" + name + "`") && !this.guide.contains("`" + name + " ")) {
			missing.add(name);
		}
		for (OptionSpec option : command.getCommandSpec().options()) {
			if (!this.guide.contains(option.longestName())) {
				missing.add(name + " " + option.longestName());
			}
		}
		if (group) {
			command.getSubcommands().values().stream().distinct().forEach((child) -> look(child, missing));
		}
	}

}
