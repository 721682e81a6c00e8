package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.interop.oracle.JavaActor.Operation;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.payload.PayloadConverter;

/**
 * Operations of the client.
 */
final class JavaClient {

	private static final PayloadConverter CONVERTER = new DefaultPayloadConverter();

	private final AsynqClient client;

	JavaClient(RedisBroker broker) {
		this.client = AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
	}

	void addTo(Map<String, Operation> operations) {
		operations.put("enqueue", (arguments) -> Views.task(this.client.enqueue(task(arguments), options(arguments))));
	}

	static TaskOptions options(Arguments arguments) {
		TaskOptions.Builder options = TaskOptions.builder();
		arguments.ifText("queue", options::queue);
		arguments.ifText("id", options::taskId);
		arguments.ifNumber("maxRetry", options::maxRetry);
		arguments.ifSeconds("timeout", options::timeout);
		arguments.ifTime("deadline", options::deadline);
		arguments.ifSeconds("unique", options::unique);
		arguments.ifTime("processAt", options::processAt);
		arguments.ifSeconds("processIn", options::processIn);
		arguments.ifSeconds("retention", options::retention);
		arguments.ifText("group", options::group);
		return options.build();
	}

	private static Task task(Arguments arguments) {
		byte[] payload = arguments.node().hasNonNull("payload")
				? arguments.text("payload").getBytes(StandardCharsets.UTF_8) : null;
		if (arguments.node().hasNonNull("struct")) {
			payload = CONVERTER.toBytes(Structs.next(arguments.text("struct")));
		}
		return Task.of(arguments.text("type"), payload).withHeaders(arguments.texts("headers"));
	}

}
