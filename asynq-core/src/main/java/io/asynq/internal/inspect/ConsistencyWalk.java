package io.asynq.internal.inspect;

import java.util.function.Consumer;

import io.asynq.inspect.Inconsistency;
import io.asynq.inspect.Inconsistency.Kind;
import io.asynq.internal.inspect.WalkPosition.Stage;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import org.jspecify.annotations.Nullable;

/** Used once, by one thread. */
final class ConsistencyWalk {

	private final ScriptRunner scripts;

	private final String queue;

	private final Budget budget;

	private final Consumer<Inconsistency> found;

	private final SuspectIds suspects;

	private final ContainerCheck containers;

	private @Nullable PendingIds pending;

	ConsistencyWalk(ScriptRunner scripts, String queue, Budget budget, Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.budget = budget;
		this.found = found;
		this.suspects = new SuspectIds(scripts, queue, found);
		this.containers = new ContainerCheck(scripts, queue, budget, this.suspects, found);
	}

	WalkPosition run(WalkPosition from) {
		this.suspects.expect(this.containers.length("pending") + this.containers.length("active"));
		WalkPosition at = from;
		while (!at.isEnd() && !this.budget.isSpent()) {
			at = step(at);
		}
		this.suspects.confirm();
		if (at.isEnd() && at.seen() && !isListed()) {
			this.found.accept(new Inconsistency(Kind.QUEUE_NOT_LISTED, this.queue, this.queue,
					"has keys such as " + Keys.of(this.queue).prefix() + "…, but is not in " + Keys.QUEUES, ""));
		}
		return at;
	}

	private WalkPosition step(WalkPosition at) {
		return switch (at.stage()) {
			case PENDING, ACTIVE -> list(at);
			case KEYS ->
				new KeyCheck(this.scripts, this.queue, this.budget, this.suspects, this.found).check(at, pending());
			case GROUPS -> emptyGroups(at);
			default -> after(at, this.containers.checkSorted(at.stage().container(), at.stage().state(), at.rank()));
		};
	}

	private WalkPosition list(WalkPosition at) {
		PendingIds known = this.containers.ids(at.stage().container(), at.rank());
		long looked = this.containers.checkList(at.stage().container(), at.rank(), known);
		if (at.stage() == Stage.PENDING && looked == ContainerCheck.END) {
			this.pending = known;
		}
		return after(at, looked);
	}

	/** The ids that were pending a moment ago. */
	private PendingIds pending() {
		PendingIds known = this.pending;
		if (known == null) {
			known = this.containers.ids(Stage.PENDING.container(), Long.MAX_VALUE);
			this.pending = known;
		}
		return known;
	}

	private WalkPosition emptyGroups(WalkPosition at) {
		this.budget.spend(GroupWalk.SLICE);
		String next = new GroupWalk(this.scripts, this.queue).tellSome(GroupWalk.Which.EMPTY, at.at(), GroupWalk.SLICE,
				(group, tasks) -> this.found
					.accept(new Inconsistency(Kind.GROUP_WITHOUT_TASKS, this.queue, group, "has no tasks", "")));
		return next.equals("0") ? at.nextStage() : at.goOn(next);
	}

	private boolean isListed() {
		return this.scripts.run("SISMEMBER", Text.queue(this.queue),
				(template) -> Boolean.TRUE.equals(template.opsForSet().isMember(Keys.QUEUES, Text.utf8(this.queue))));
	}

	private static WalkPosition after(WalkPosition at, long looked) {
		return (looked == ContainerCheck.END) ? at.nextStage() : at.goOn(Long.toString(looked));
	}

}
