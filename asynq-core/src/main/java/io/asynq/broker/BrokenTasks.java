package io.asynq.broker;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

import io.asynq.broker.message.BrokenTask;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Counts broken tasks and logs each one once. Safe for concurrent use.
 */
public final class BrokenTasks implements BrokenTaskListener {

	private static final Logger logger = OneLineLogger.of(BrokenTasks.class);

	private static final int REMEMBERED = 1000;

	private static final int MAX_SHOWN = 200;

	private final Map<BrokenTask.Kind, LongAdder> counts = new EnumMap<>(BrokenTask.Kind.class);

	private final Set<BrokenTask> logged = Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<BrokenTask, Boolean> eldest) {
			return size() > REMEMBERED;
		}

	}));

	public BrokenTasks() {
		for (BrokenTask.Kind kind : BrokenTask.Kind.values()) {
			this.counts.put(kind, new LongAdder());
		}
	}

	/**
	 * Returns how often a kind was found.
	 * @param kind what was wrong
	 * @return the count since the JVM started
	 */
	public long count(BrokenTask.Kind kind) {
		return this.counts.get(kind).sum();
	}

	@Override
	public void onBrokenTask(BrokenTask task) {
		this.counts.get(task.kind()).increment();
		// Names have no limit: a thousand long ones would fill the heap
		BrokenTask shown = new BrokenTask(cut(task.queue()), cut(task.id()), task.kind());
		if (this.logged.add(shown)) {
			log(shown);
		}
	}

	private static String cut(String name) {
		return (name.length() > MAX_SHOWN) ? name.substring(0, MAX_SHOWN) + "…" : name;
	}

	private static void log(BrokenTask task) {
		if (task.kind() == BrokenTask.Kind.UNUSABLE_KEY) {
			logger.warn(
					"Key {} of queue {} has the wrong type in Redis: its tasks wait until the key is renamed or deleted",
					task.id(), task.queue());
			return;
		}
		logger.warn("Broken task {} in queue {}: {}", task.id(), task.queue(), switch (task.kind()) {
			case UNDECODABLE -> "its message cannot be decoded; it was archived unchanged";
			case MISSING -> "there is no task with this id; the id was removed from its container";
			case WRONG_TYPE -> "its key is not a hash; the id was removed from its container";
			case UNUSABLE_KEY -> throw new IllegalStateException("Logged above");
		});
	}

}
