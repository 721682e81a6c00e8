package io.asynq.internal.worker;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import org.slf4j.Logger;

/** Logs each broken task once, and counts a key of the wrong type once in ten minutes. */
public final class BrokenTasks implements BrokenTaskListener {

	private static final Logger logger = OneLineLogger.of(BrokenTasks.class);

	private static final long KEY_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(10);

	private static final int REMEMBERED = 1000;

	private static final int MAX_SHOWN = 200;

	private final Map<BrokenTask.Kind, LongAdder> counts = new EnumMap<>(BrokenTask.Kind.class);

	private final Map<BrokenTask, Long> known = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<BrokenTask, Long> eldest) {
			return size() > REMEMBERED;
		}

	};

	private final LongSupplier nanoTime;

	public BrokenTasks() {
		this(System::nanoTime);
	}

	BrokenTasks(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		for (BrokenTask.Kind kind : BrokenTask.Kind.values()) {
			this.counts.put(kind, new LongAdder());
		}
	}

	public long count(BrokenTask.Kind kind) {
		return this.counts.get(kind).sum();
	}

	@Override
	public void onBrokenTask(BrokenTask task) {
		// Names have no limit: a thousand long ones would fill the heap
		BrokenTask shown = new BrokenTask(cut(task.queue()), cut(task.id()), task.kind());
		boolean first;
		boolean due;
		synchronized (this.known) {
			Long before = this.known.get(shown);
			long now = this.nanoTime.getAsLong();
			first = before == null;
			due = before == null || now - before >= KEY_INTERVAL_NANOS;
			if (due) {
				this.known.put(shown, now);
			}
		}
		if (due || task.kind() != BrokenTask.Kind.UNUSABLE_KEY) {
			this.counts.get(task.kind()).increment();
		}
		if (first) {
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
