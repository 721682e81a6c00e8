package io.asynq.cli;

import io.asynq.cli.terminal.Surroundings;

/**
 * Starts the program {@code asynq}.
 */
public final class AsynqCli {

	private AsynqCli() {
	}

	public static void main(String[] args) {
		Surroundings surroundings = Surroundings.ofProcess();
		int code = run(surroundings, args);
		surroundings.out().flush();
		surroundings.err().flush();
		System.exit(code);
	}

	/**
	 * Runs one command.
	 * @return 0 if all is well, 1 after an error, 2 if the command was not understood
	 */
	public static int run(Surroundings surroundings, String... args) {
		return CommandTree.of(surroundings).execute(args);
	}

}
