package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The inspectors of Go and Java match the content of Redis. */
final class InspectorsAgree implements Invariant {

	private final Inspectors inspectors;

	InspectorsAgree(Inspectors inspectors) {
		this.inspectors = inspectors;
	}

	@Override
	public String name() {
		return "inspectors-agree";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		this.inspectors.all().forEach((name, inspector) -> {
			try {
				compare(name, inspector.get(), evidence, findings);
			}
			catch (RuntimeException ex) {
				findings.add(new Finding(name(), name, "fails: " + ex.getMessage()));
			}
		});
		return findings;
	}

	private void compare(String inspector, Map<String, QueueNumbers> answer, Evidence evidence,
			List<Finding> findings) {
		for (QueueView queue : evidence.queues().values()) {
			QueueNumbers expected = expected(queue);
			QueueNumbers actual = answer.get(queue.queue());
			if (!expected.equals(actual)) {
				findings.add(new Finding(name(), inspector, "says " + actual + ", Redis has " + expected));
			}
		}
	}

	private static QueueNumbers expected(QueueView queue) {
		// No number includes staged tasks
		long size = Arrays.stream(Container.values())
			.filter((container) -> container != Container.STAGED)
			.mapToLong((container) -> size(queue, container))
			.sum();
		return new QueueNumbers(queue.queue(), size, size(queue, Container.PENDING), size(queue, Container.ACTIVE),
				size(queue, Container.SCHEDULED), size(queue, Container.RETRY), size(queue, Container.ARCHIVED),
				size(queue, Container.COMPLETED), size(queue, Container.GROUP), queue.processed(), queue.failed());
	}

	private static long size(QueueView queue, Container container) {
		return queue.containers().in(container).size();
	}

}
