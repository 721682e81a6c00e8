package io.asynq.benchmarks.asynq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;

/** Enqueues with {@link AsynqClient}. */
final class AsynqProducer implements Producer {

	private final AsynqClient client;

	private final TaskOptions options;

	private final AutoCloseable context;

	AsynqProducer(AsynqClient client, Settings settings, AutoCloseable context) {
		this.client = client;
		this.options = options(settings);
		this.context = context;
	}

	@Override
	public void one(String payload) {
		this.client.enqueue(task(payload), this.options);
	}

	@Override
	public void many(List<String> payloads) {
		List<Task> tasks = new ArrayList<>(payloads.size());
		for (String payload : payloads) {
			tasks.add(task(payload));
		}
		this.client.enqueueAll(tasks, this.options).forEach(EnqueueAttempt::orThrow);
	}

	@Override
	public void close() throws Exception {
		this.context.close();
	}

	private static Task task(String payload) {
		return Task.of("bench", payload.getBytes(StandardCharsets.US_ASCII));
	}

	private static TaskOptions options(Settings settings) {
		TaskOptions.Builder options = TaskOptions.builder().queue(settings.firstQueue());
		String mode = settings.text("mode", "single");
		if ("unique".equals(mode)) {
			options.unique(Duration.ofHours(1));
		}
		else if ("scheduled".equals(mode)) {
			options.processIn(Duration.ofHours(1));
		}
		return options.build();
	}

}
