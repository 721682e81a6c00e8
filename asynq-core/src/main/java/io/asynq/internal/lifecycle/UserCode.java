package io.asynq.internal.lifecycle;

import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;

/**
 * Nothing escapes from user code: neither what it throws nor what that error throws when
 * it is inspected.
 */
public final class UserCode {

	private UserCode() {
	}

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
	 * Message, causes and stack trace may each fail.
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
	 * Errors of the JVM are not ours to hide, but a stack overflow is over when the stack
	 * is unwound.
	 */
	public static void rethrowIfFatal(@Nullable Throwable error) {
		if (error instanceof VirtualMachineError fatal && !(error instanceof StackOverflowError)) {
			throw fatal;
		}
	}

	/** The handler may fail, and the logger is made late: memory may have run out. */
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
