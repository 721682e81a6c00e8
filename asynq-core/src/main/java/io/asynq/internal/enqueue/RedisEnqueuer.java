package io.asynq.internal.enqueue;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.UsableRedis;
import org.springframework.data.redis.connection.RedisConnectionFactory;

public final class RedisEnqueuer implements TaskEnqueuer {

	private final ScriptRunner scripts;

	private final StoreCalls calls;

	private final Lines lines;

	private final UsableRedis usable;

	public RedisEnqueuer(ScriptRunner scripts, RedisConnectionFactory connections, Clock clock, ScriptTime time,
			PublishedQueues published, UsableRedis usable) {
		this.scripts = scripts;
		this.calls = new StoreCalls(scripts, clock, time, published);
		this.lines = new Lines(this.calls, connections);
		this.usable = usable;
	}

	@Override
	public void enqueue(EnqueueRequest request) {
		NewTask task = NewTask.of(request);
		Refusal.throwIfAny(task.message(), this.scripts.within(() -> this.calls.store(task)));
	}

	@Override
	public void enqueueShared(EnqueueRequest request) {
		NewTask task = NewTask.of(request);
		Refusal.throwIfAny(task.message(), this.scripts
			.within(() -> this.lines.areOpen() ? this.lines.of(task.queue()).store(task) : this.calls.store(task)));
	}

	@Override
	public List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> requests) {
		List<NewTask> tasks = requests.stream().map(NewTask::of).toList();
		List<StoreAnswer> answers = this.calls.storeAll(tasks);
		List<Optional<AsynqException>> results = new ArrayList<>(tasks.size());
		for (int i = 0; i < answers.size(); i++) {
			results.add(answers.get(i).refusal(tasks.get(i).message()));
		}
		return results;
	}

	@Override
	public void ping() {
		this.usable.ping();
	}

	/** Each caller then makes its own calls. */
	public void close() {
		this.lines.close();
	}

}
