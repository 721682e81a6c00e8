package io.asynq.lifecycle;

import java.util.function.Consumer;

import io.asynq.AsynqException;

/**
 * Calls users' code so that nothing gets out of it: neither what it throws, whatever that
 * is, nor what that throws in its turn when it is looked at.
 */
public final class UserCode {

	private UserCode() {
	}

	/**
	 * Makes a call.
	 * @param call the call
	 * @param log writes a line of what it has thrown
	 * @return whether it has returned
	 */
	public static boolean run(Call call, Consumer<Throwable> log) {
		try {
			call.run();
			return true;
		}
		catch (Throwable ex) {
			tell(ex, log);
			return false;
		}
	}

	/**
	 * Has a line written of what users' code has thrown. Loggers ask it for its message,
	 * its causes and its stack, and any of these may fail.
	 * @param error what was thrown
	 * @param log writes the line, perhaps twice, the second time with a substitute
	 */
	public static void tell(Throwable error, Consumer<Throwable> log) {
		try {
			log.accept(error);
		}
		catch (Throwable ex) {
			tellSubstitute(error, log);
		}
	}

	private static void tellSubstitute(Throwable error, Consumer<Throwable> log) {
		try {
			AsynqException substitute = new AsynqException(
					error.getClass().getName() + ", which cannot be shown because its own methods fail");
			log.accept(substitute);
		}
		catch (Throwable ex) {
			// There is nothing left to say it with; whoever calls goes on all the same
		}
	}

	/**
	 * A call of users' code, which may throw what it does not declare.
	 */
	@FunctionalInterface
	public interface Call {

		void run() throws Throwable;

	}

}
