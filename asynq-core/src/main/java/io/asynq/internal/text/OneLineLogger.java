package io.asynq.internal.text;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.spi.LocationAwareLogger;

/**
 * Turns every argument and every message of an exception into one line of printable
 * characters, so that text from outside cannot forge lines of the log.
 */
public final class OneLineLogger extends LegacyAbstractLogger {

	private static final long serialVersionUID = 1L;

	private final transient Logger logger;

	private OneLineLogger(Logger logger) {
		this.logger = logger;
		this.name = logger.getName();
	}

	public static Logger of(Class<?> owner) {
		return new OneLineLogger(LoggerFactory.getLogger(owner));
	}

	/**
	 * For what is not an argument of a line but appears in the log, such as a value of
	 * the MDC.
	 */
	public static String printable(String text) {
		return Printable.of(text);
	}

	@Override
	public boolean isTraceEnabled() {
		return this.logger.isTraceEnabled();
	}

	@Override
	public boolean isDebugEnabled() {
		return this.logger.isDebugEnabled();
	}

	@Override
	public boolean isInfoEnabled() {
		return this.logger.isInfoEnabled();
	}

	@Override
	public boolean isWarnEnabled() {
		return this.logger.isWarnEnabled();
	}

	@Override
	public boolean isErrorEnabled() {
		return this.logger.isErrorEnabled();
	}

	@Override
	protected String getFullyQualifiedCallerName() {
		return AbstractLogger.class.getName();
	}

	@Override
	protected void handleNormalizedLoggingCall(Level level, @Nullable Marker marker, String pattern,
			Object @Nullable [] arguments, @Nullable Throwable error) {
		Object[] printable = (arguments != null) ? Stream.of(arguments).map(Printable::of).toArray() : new Object[0];
		Throwable printableError = (error != null) ? printable(error) : null;
		if (this.logger instanceof LocationAwareLogger located) {
			located.log(marker, getFullyQualifiedCallerName(), level.toInt(), pattern, printable, printableError);
		}
		else {
			this.logger.atLevel(level).setCause(printableError).log(pattern, printable);
		}
	}

	/**
	 * Copies the error only if one of its messages is not printable, because loggers
	 * write messages as they are.
	 */
	private static Throwable printable(Throwable error) {
		try {
			List<Throwable> parts = RedactedError.parts(error);
			// Loggers write different ones of these
			boolean printable = RedactedError.isAll(parts) && parts.stream()
				.flatMap((part) -> Stream.of(part.toString(), String.valueOf(part.getMessage()),
						String.valueOf(part.getLocalizedMessage())))
				.allMatch(Printable::isPrintable);
			return printable ? error : RedactedError.of(error, Printable::of);
		}
		catch (Throwable ex) {
			return RedactedError.textOnly(Printable.of(error));
		}
	}

}
