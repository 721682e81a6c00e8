package io.asynq.internal.worker;

import java.util.stream.IntStream;

import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.MdcKeys;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Logging patterns write values as they are, so each is one line of printable characters.
 */
public final class TaskMdc {

	private static final String ID = MdcKeys.TASK_ID;

	private static final String TYPE = MdcKeys.TASK_TYPE;

	private static final String QUEUE = MdcKeys.TASK_QUEUE;

	private static final String ATTEMPT = MdcKeys.TASK_ATTEMPT;

	/** Spares nearly every attempt the conversion of its number. */
	private static final String[] NUMBERS = IntStream.range(0, 32).mapToObj(Integer::toString).toArray(String[]::new);

	private TaskMdc() {
	}

	public static void put(TaskMessage message) {
		int attempt = message.retried() + 1;
		MDC.put(ID, OneLineLogger.printable(message.id()));
		MDC.put(TYPE, OneLineLogger.printable(message.type()));
		MDC.put(QUEUE, OneLineLogger.printable(message.queue()));
		MDC.put(ATTEMPT, (attempt > 0 && attempt < NUMBERS.length) ? NUMBERS[attempt] : Integer.toString(attempt));
	}

	public static void remove() {
		MDC.remove(ID);
		MDC.remove(TYPE);
		MDC.remove(QUEUE);
		MDC.remove(ATTEMPT);
	}

	/** The thread may be at work on another task, which is named again afterwards. */
	public static void during(TaskMessage message, Runnable lines) {
		String id = MDC.get(ID);
		String type = MDC.get(TYPE);
		String queue = MDC.get(QUEUE);
		String attempt = MDC.get(ATTEMPT);
		put(message);
		try {
			lines.run();
		}
		finally {
			restore(ID, id);
			restore(TYPE, type);
			restore(QUEUE, queue);
			restore(ATTEMPT, attempt);
		}
	}

	private static void restore(String key, @Nullable String value) {
		if (value != null) {
			MDC.put(key, value);
		}
		else {
			MDC.remove(key);
		}
	}

}
