package io.asynq.internal.redis;

import java.time.Instant;
import java.util.List;

import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.OutcomeResult.Status;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Base of the contracts that end active tasks.
 */
abstract class OutcomeContract extends BrokerContract {

	OutcomeContract(RedisConnectionFactory factory) {
		super(factory);
	}

	List<Status> report(Outcome... outcomes) {
		return this.broker.completer().report(List.of(outcomes)).stream().map(OutcomeResult::status).toList();
	}

	LeasedTask active(TaskMessage message) {
		this.state.seedActive(in(30), message);
		this.state.seedField(message.queue(), message.id(), "x-attempt", utf8("present@" + in(30).getEpochSecond()));
		return attempt(message, "present");
	}

	LeasedTask attempt(TaskMessage message, String fence) {
		return new LeasedTask(message, new Lease(message.queue(), message.id(), fence, System.nanoTime()));
	}

	Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
