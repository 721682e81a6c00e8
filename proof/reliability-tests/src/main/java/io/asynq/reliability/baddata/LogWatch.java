package io.asynq.reliability.baddata;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** Inconsistent data deserves a line, never a stack trace. */
final class LogWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.asynq");

	private final List<String> traces = new CopyOnWriteArrayList<>();

	private volatile int lines;

	static LogWatch open() {
		LogWatch watch = new LogWatch();
		watch.start();
		// The owner of the data wants each line, but nobody ten thousand of them here
		watch.logger.setAdditive(false);
		watch.logger.addAppender(watch);
		return watch;
	}

	int lines() {
		return this.lines;
	}

	List<String> traces() {
		return this.traces;
	}

	@Override
	protected void append(ILoggingEvent event) {
		if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
			this.lines++;
			if (event.getThrowableProxy() != null) {
				this.traces.add("Logged with a stack trace: " + event.getFormattedMessage() + ": "
						+ event.getThrowableProxy().getMessage());
			}
		}
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
		this.logger.setAdditive(true);
	}

}
