package io.asynq.interop.oracle;

import java.time.Clock;
import java.util.Map;
import java.util.stream.Collectors;

import io.asynq.broker.Broker;
import io.asynq.broker.CancellationBus;
import io.asynq.inspect.AsynqInspector;
import io.asynq.interop.oracle.JavaActor.Operation;

/**
 * What the inspector does.
 */
final class JavaInspection {

	private final CancellationBus cancellations;

	private final AsynqInspector inspector;

	JavaInspection(Broker broker) {
		this.cancellations = broker.cancellations();
		this.inspector = AsynqInspector.create(broker, Clock.systemUTC());
	}

	void addTo(Map<String, Operation> operations) {
		operations.put("queues",
				(arguments) -> this.inspector.queues()
					.stream()
					.collect(Collectors.toMap((name) -> name, (name) -> true)));
		operations.put("queueInfo", (arguments) -> Views.queue(this.inspector.queueInfo(arguments.text("queue"))));
		operations.put("taskInfo",
				(arguments) -> Views.task(this.inspector.taskInfo(arguments.text("queue"), arguments.text("id"))));
		operations.put("cancel", (arguments) -> {
			this.cancellations.publish(arguments.text("id"));
			return null;
		});
	}

}
