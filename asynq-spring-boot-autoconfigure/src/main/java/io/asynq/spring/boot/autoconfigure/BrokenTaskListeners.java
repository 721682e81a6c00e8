package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.BrokenTasks;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import org.slf4j.Logger;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * The application's listeners are created at the first broken task, because they may need
 * what needs the broker; the counters come first and do not depend on them.
 */
record BrokenTaskListeners(Supplier<List<BrokenTaskListener>> listeners) implements BrokenTaskListener {

	private static final Logger logger = OneLineLogger.of(BrokenTaskListeners.class);

	static BrokenTaskListeners of(BrokenTasks counted, ObjectProvider<BrokenTaskListener> listeners) {
		return new BrokenTaskListeners(SingletonSupplier.of(() -> Stream
			.concat(Stream.of(counted), listeners.orderedStream().filter((listener) -> listener != counted))
			.toList()));
	}

	@Override
	public void onBrokenTask(BrokenTask task) {
		for (BrokenTaskListener listener : this.listeners.get()) {
			UserCode.run(() -> listener.onBrokenTask(task), (shown) -> logger
				.warn("{} failed for a broken task in queue {}", listener.getClass().getName(), task.queue(), shown));
		}
	}

}
