package io.asynq.reliability.check;

import java.util.List;

/** Something that holds at every moment, because scripts move tasks as a whole. */
interface ContainerInvariant extends Invariant {

	List<Finding> check(Containers containers);

	@Override
	default List<Finding> check(Evidence evidence) {
		return evidence.queues().values().stream().flatMap((queue) -> check(queue.containers()).stream()).toList();
	}

	default Finding finding(Containers containers, String id, String what) {
		return new Finding(name(), containers.queue() + "/" + id, what);
	}

}
