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

	/** Returns whether the call returned normally. */
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
	 * Loggers ask the error for its message, causes and stack trace, and each of these
	 * may fail.
	 * @param log called again with a substitute if it fails
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
	 * Rethrows an error of the JVM, such as a lack of memory, which is not ours to hide;
	 * a stack overflow is not fatal: it is over when the stack is unwound.
	 */
	public static void rethrowIfFatal(@Nullable Throwable error) {
		if (error instanceof VirtualMachineError fatal && !(error instanceof StackOverflowError)) {
			throw fatal;
		}
	}

	/**
	 * The handler may itself fail, and the logger is made when it is needed, since this
	 * class must be usable when its first call comes after memory has run out.
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

	@FunctionalInterface
	public interface Call {

		void run() throws Throwable;

	}

}
