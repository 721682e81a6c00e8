package io.asynq.internal.text;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * The lines of a logger and those below it, with the MDC of the threads that logged them.
 * To be used in a try-with-resources block.
 */
public final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final Logger logger;

	private final Level before;

	private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

	private LogCapture(Logger logger) {
		this.logger = logger;
		this.before = logger.getLevel();
	}

	/**
	 * Captures instead of writing to the console.
	 */
	public static LogCapture of(String name, Level level) {
		LogCapture capture = new LogCapture((Logger) LoggerFactory.getLogger(name));
		capture.start();
		capture.logger.setLevel(level);
		capture.logger.setAdditive(false);
		capture.logger.addAppender(capture);
		return capture;
	}

	public static LogCapture of(Class<?> owner, Level level) {
		return of(owner.getName(), level);
	}

	public List<ILoggingEvent> lines() {
		return this.lines;
	}

	public List<ILoggingEvent> lines(Level level) {
		return this.lines.stream().filter((line) -> line.getLevel() == level).toList();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
		this.logger.setAdditive(true);
		this.logger.setLevel(this.before);
		stop();
	}

	@Override
	protected void append(ILoggingEvent event) {
		event.prepareForDeferredProcessing();
		this.lines.add(event);
	}

}
