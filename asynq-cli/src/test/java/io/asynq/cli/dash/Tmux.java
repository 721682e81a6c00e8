package io.asynq.cli.dash;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import io.asynq.test.process.Command;

/**
 * A terminal in which a shell runs.
 */
final class Tmux implements AutoCloseable {

	private final String socket = "asynq-" + UUID.randomUUID();

	Tmux(Path folder, String... variables) {
		List<String> command = new ArrayList<>(
				List.of("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", folder.toString()));
		for (String variable : variables) {
			command.addAll(List.of("-e", variable));
		}
		command.addAll(List.of("env", "PS1=ready> ", "LC_ALL=C.UTF-8", "sh"));
		run(command.toArray(String[]::new));
	}

	/** Types a line. */
	void line(String text) {
		type(text);
		key("Enter");
	}

	/** Types characters as they are. */
	void type(String text) {
		run("send-keys", "-l", text);
	}

	/** Presses keys, by the names that tmux gives them. */
	void key(String... names) {
		List<String> command = new ArrayList<>(List.of("send-keys"));
		command.addAll(Arrays.asList(names));
		run(command.toArray(String[]::new));
	}

	void resize(int width, int height) {
		run("resize-window", "-x", String.valueOf(width), "-y", String.valueOf(height));
	}

	/** What can be seen. */
	String screen() {
		return run("capture-pane", "-p");
	}

	/** What can be seen, with its colours. */
	String coloured() {
		return run("capture-pane", "-p", "-e");
	}

	/** Asks tmux, such as {@code alternate_on}. */
	String ask(String variable) {
		return run("display-message", "-p", "#{" + variable + "}").strip();
	}

	@Override
	public void close() {
		run("kill-server");
	}

	private String run(String... arguments) {
		List<String> command = new ArrayList<>(List.of("tmux", "-L", this.socket));
		command.addAll(Arrays.asList(arguments));
		return Command.run(command.toArray(String[]::new));
	}

}
