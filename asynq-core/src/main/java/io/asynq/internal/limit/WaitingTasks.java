package io.asynq.internal.limit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.limit.LimitTurns.Part;
import io.asynq.internal.limit.LimitTurns.Taken;
import io.asynq.internal.limit.LimitTurns.Turn;

/**
 * Tokens and queues lie in different slots, so waking takes two steps; what is cut
 * between them goes on when its tokens are kept no longer.
 */
public final class WaitingTasks {

	/** How often others get what could not be used; then by the next look. */
	private static final int ROUNDS = 100;

	/** Into how many parts a sweep is divided, one in ten seconds. */
	private static final int PARTS = 6;

	private final LimitStore store;

	private final QueueRound round;

	private final Consumer<String> pending;

	private long nextLook = System.nanoTime();

	public WaitingTasks(LimitStore store, QueueRound round, Consumer<String> pending) {
		this.store = store;
		this.round = round;
		this.pending = pending;
	}

	/** If a class without tasks has had a turn there may be many: all are forgotten. */
	public void wake(LimitTurns first) {
		List<Turn> turns = noted(first);
		boolean swept = false;
		for (int i = 0; i < ROUNDS; i++) {
			List<Taken> unused = unused(turns);
			if (unused.isEmpty()) {
				return;
			}
			turns = noted(this.store.giveBack(unused));
			if (!swept && unused.stream().anyMatch(WaitingTasks::isDead)) {
				swept = true;
				turns = new ArrayList<>(turns);
				turns.addAll(forget(true));
			}
		}
		lookBy(System.nanoTime());
	}

	/**
	 * @param latest the nano time of the next look, if nothing is to be done before
	 */
	public void look(boolean all, long latest) {
		this.nextLook = latest;
		wake(this.store.look(all));
	}

	long nextLook() {
		return this.nextLook;
	}

	/**
	 * In ten seconds a part of the classes, but all at once if many tasks were deleted.
	 */
	public void sweep() {
		wake(new LimitTurns(forget(false), null));
	}

	private List<Turn> forget(boolean goOn) {
		List<Turn> turns = new ArrayList<>();
		Part part = this.store.sweep(goOn);
		long seen = part.turns().size();
		while (forget(part.turns(), turns) || !part.end() && seen < part.all() / PARTS) {
			part = this.store.sweep(true);
			seen += part.turns().size();
		}
		return turns;
	}

	private boolean forget(List<Turn> classes, List<Turn> turns) {
		List<Taken> empty = unused(classes).stream().filter((taken) -> taken.left() == 0).toList();
		if (!empty.isEmpty()) {
			turns.addAll(noted(this.store.giveBack(empty)));
		}
		return empty.size() * 10 > classes.size();
	}

	private static boolean isDead(Taken taken) {
		return taken.turn().tasks() > 0 && taken.woken() == 0 && taken.left() == 0;
	}

	private List<Turn> noted(LimitTurns turns) {
		if (turns.again() != null) {
			lookBy(System.nanoTime() + turns.again().toNanos());
		}
		return turns.turns();
	}

	private List<Taken> unused(List<Turn> turns) {
		Map<String, List<Turn>> byQueue = new LinkedHashMap<>();
		turns.forEach((turn) -> byQueue.computeIfAbsent(turn.limits().queue(), (queue) -> new ArrayList<>()).add(turn));
		Map<String, List<Taken>> taken = new ConcurrentHashMap<>();
		each(byQueue.keySet(), (queue) -> {
			List<Taken> its = this.store.wake(queue, byQueue.get(queue));
			taken.put(queue, its);
			if (its.stream().anyMatch((one) -> one.woken() > 0)) {
				this.pending.accept(queue);
			}
		});
		List<Taken> unused = new ArrayList<>();
		byQueue.forEach((queue, its) -> {
			List<Taken> answers = taken.get(queue);
			for (int i = 0; i < its.size(); i++) {
				Taken one = (answers != null) ? answers.get(i) : new Taken(its.get(i), 0, true, Long.MAX_VALUE);
				if (one.isUnused()) {
					unused.add(one);
				}
			}
		});
		return unused;
	}

	private void each(Collection<String> queues, Consumer<String> action) {
		if (!queues.isEmpty()) {
			try {
				this.round.each(queues, action);
			}
			catch (BrokerUnavailableException ex) {
				// Others are woken, if the limits can be reached
			}
		}
	}

	private void lookBy(long nanos) {
		if (nanos - this.nextLook < 0) {
			this.nextLook = nanos;
		}
	}

}
