package io.asynq.cli.terminal;

import java.io.IOException;
import java.util.Locale;

/**
 * Asks before something is done with many tasks.
 */
public final class Question {

	private final Surroundings surroundings;

	private final boolean yes;

	/**
	 * @param yes whether every question is answered with yes
	 */
	public Question(Surroundings surroundings, boolean yes) {
		this.surroundings = surroundings;
		this.yes = yes;
	}

	/**
	 * Asks.
	 * @param what what is about to be done: "Delete all 3 archived tasks of queue "low""
	 * @throws UsageException if nobody is there to answer
	 * @throws CommandFailedException if the answer is no
	 */
	public void ask(String what) {
		if (this.yes) {
			return;
		}
		if (!this.surroundings.terminal().isThere()) {
			throw new UsageException(
					what + "? Nobody is there to be asked: say --yes, or set ASYNQ_YES=true for scripts");
		}
		this.surroundings.err().print(what + "? [y/N] ");
		this.surroundings.err().flush();
		String answer = answer().strip().toLowerCase(Locale.ROOT);
		if (!answer.equals("y") && !answer.equals("yes")) {
			throw new CommandFailedException("Nothing was done");
		}
	}

	private String answer() {
		try {
			String line = this.surroundings.in().readLine();
			return (line != null) ? line : "";
		}
		catch (IOException ex) {
			return "";
		}
	}

}
