package io.asynq.test.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Its JVM has the same version and class path as this one.
 */
public final class JavaProgram {

	private JavaProgram() {
	}

	public static List<String> command(List<String> options, String main, List<String> arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
		command.addAll(arguments);
		return command;
	}

}
