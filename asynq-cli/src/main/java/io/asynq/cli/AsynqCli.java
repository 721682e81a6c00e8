package io.asynq.cli;

import java.util.Arrays;

import io.asynq.cli.command.BooleanFlags;
import io.asynq.cli.terminal.Surroundings;
import io.asynq.cli.terminal.UsageException;

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
		try {
			String[] words = BooleanFlags.withoutValues(asFlag(args));
			return CommandTree.of(surroundings, words).execute(words);
		}
		catch (UsageException ex) {
			surroundings.err().println(ex.getMessage());
			return Mistakes.NOT_UNDERSTOOD;
		}
	}

	/** The word help before a command means its flag, as in Go's program. */
	private static String[] asFlag(String... args) {
		if (args.length == 0 || !args[0].equals("help")) {
			return args;
		}
		String[] flag = Arrays.copyOfRange(args, 1, args.length + 1);
		flag[args.length - 1] = "--help";
		return flag;
	}

}
