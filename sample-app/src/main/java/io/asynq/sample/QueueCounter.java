package io.asynq.sample;

import java.util.List;

import io.asynq.QueueNotFoundException;
import io.asynq.inspect.AsynqInspector;
import org.springframework.stereotype.Component;

/**
 * Reads the counts of the queues that this application uses.
 */
@Component
class QueueCounter {

	private static final List<String> QUEUES = List.of("critical", "default", "low");

	private final AsynqInspector inspector;

	QueueCounter(AsynqInspector inspector) {
		this.inspector = inspector;
	}

	QueueCounts read() {
		return QUEUES.stream().map(this::read).reduce(QueueCounts.NONE, QueueCounts::plus);
	}

	// A queue exists from its first task on
	private QueueCounts read(String queue) {
		try {
			return QueueCounts.of(this.inspector.queueInfo(queue));
		}
		catch (QueueNotFoundException ex) {
			return QueueCounts.NONE;
		}
	}

}
