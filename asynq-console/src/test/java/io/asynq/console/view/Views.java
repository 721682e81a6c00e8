package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.ConsoleRight;
import io.asynq.console.TaskPayloadFormatter;
import io.asynq.console.TaskPayloadSanitizer;
import io.asynq.console.http.Calls;
import io.asynq.console.http.ConsoleAudit;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.worker.ServedTypes;
import io.asynq.internal.worker.WorkerSnapshot;
import io.asynq.server.QueueWeights;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Everything that the console shows and does, on a real Redis and without a web server.
 */
public final class Views implements AutoCloseable {

	public final RedisBroker broker;

	public final AsynqClient client;

	public final AsynqInspector inspector;

	/** What was audited besides what the web part tells. */
	public final List<Map<String, Object>> audited = new CopyOnWriteArrayList<>();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	public Views(RedisConnectionFactory factory) {
		this(factory, Map.of(), null, null);
	}

	public Views(RedisConnectionFactory factory, Map<String, String> properties,
			@Nullable TaskPayloadSanitizer sanitizer, @Nullable TaskPayloadFormatter formatter) {
		Clock clock = Clock.systemUTC();
		this.broker = new RedisBroker(factory, clock, Duration.ofSeconds(30), (broken) -> {
		});
		this.client = AsynqClient.create(this.broker, ClientOptions.builder().clock(clock).build());
		this.inspector = AsynqInspector.create(this.broker, clock);
		this.context.registerBean("asynqClock", Clock.class, () -> clock);
		this.context.registerBean(RedisBroker.class, () -> this.broker);
		this.context.registerBean(AsynqClient.class, () -> this.client);
		this.context.registerBean(AsynqInspector.class, () -> this.inspector);
		this.context.registerBean(AsynqConsoleProperties.class,
				() -> new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("asynq.console",
						AsynqConsoleProperties.class));
		this.context.registerBean(ConsoleAudit.class,
				() -> new ConsoleAudit((who, type, data) -> this.audited.add(data)));
		if (sanitizer != null) {
			this.context.registerBean(TaskPayloadSanitizer.class, () -> sanitizer);
		}
		if (formatter != null) {
			this.context.registerBean(TaskPayloadFormatter.class, () -> formatter);
		}
		this.context.register(ConsoleViewConfiguration.class);
		this.context.refresh();
	}

	public Calls calls() {
		return new Calls(screens());
	}

	public Calls calls(Set<ConsoleRight> refused, Set<String> hiddenQueues) {
		return new Calls(screens(), refused, hiddenQueues);
	}

	Calls calls(ConsoleCaller caller) {
		return new Calls(screens(), caller);
	}

	public LiveReader live() {
		return this.context.getBean(LiveReader.class);
	}

	/** Enqueues a task as an application does. */
	void enqueue(String queue, String type, String id, String payload) {
		this.client.enqueue(Task.of(type, payload.getBytes(StandardCharsets.UTF_8)),
				TaskOptions.of((options) -> options.queue(queue).taskId(id)));
	}

	/** Announces a server that works on a task, and holds others. */
	void serve(String queue, Set<String> types, String taskId, Instant from, Instant deadline) {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		WorkerSnapshot worker = new WorkerSnapshot(RedisState.message(queue, taskId).build(), from, deadline);
		this.broker.servers().enlist(identity, Duration.ofSeconds(60));
		this.broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(queue, 3), true), "active", from,
					List.of(worker), Map.of(queue, 4, "secret", 2)), Duration.ofSeconds(60));
		this.broker.servers().writeTypes(identity, ServedTypes.text(types, Set.of()), Duration.ofSeconds(60));
	}

	private Collection<ConsoleScreen> screens() {
		return this.context.getBeansOfType(ConsoleScreen.class).values();
	}

	@Override
	public void close() {
		this.context.close();
	}

}
