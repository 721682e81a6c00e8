package io.asynq.lifecycle;

import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;

/**
 * Calls user code so that nothing escapes from it: neither what it throws nor what that
 * error throws when it is inspected.
 */
public final class UserCode {

	private UserCode() {
	}

	/**
	 * Makes a call.
	 * @param log logs what it has thrown
	 * @return whether it returned normally
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
	 * Logs an error of user code. Loggers ask the error for its message, causes and stack
	 * trace, and each of these may fail.
	 * @param log writes the line; called again with a substitute if that fails
	 */
	public static void tell(Throwable error, Consumer<Throwable> log) {
		try {
			log.accept(error);
		}
		catch (Throwable ex) {
			tellSubstitute(error, log);
		}
	}

	/**
	 * Rethrows an error of the JVM, such as a lack of memory, which is not ours to hide.
	 * A stack overflow is not fatal: it is over when the stack is unwound.
	 */
	public static void rethrowIfFatal(@Nullable Throwable error) {
		if (error instanceof VirtualMachineError fatal && !(error instanceof StackOverflowError)) {
			throw fatal;
		}
	}

	/**
	 * Passes an error to the current thread's uncaught exception handler, which may
	 * itself fail. The logger is made when it is needed: this class must also be usable
	 * when its first call comes after memory has run out.
	 */
	public static void uncaught(Throwable error) {
		Thread current = Thread.currentThread();
		run(() -> current.getUncaughtExceptionHandler().uncaughtException(current, error),
				(shown) -> OneLineLogger.of(UserCode.class)
					.error("The uncaught exception handler of thread {} failed", current.getName(), shown));
	}

	private static void tellSubstitute(Throwable error, Consumer<Throwable> log) {
		try {
			AsynqException substitute = new AsynqException(
					error.getClass().getName() + ", which cannot be logged because its own methods fail");
			log.accept(substitute);
		}
		catch (Throwable ex) {
			// Nothing else can be logged; the caller continues
		}
	}

	/**
	 * A call of user code, which may throw anything.
	 */
	@FunctionalInterface
	public interface Call {

		void run() throws Throwable;

	}

}
