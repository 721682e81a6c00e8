package io.asynq.broker.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.broker.BrokenTask;
import io.asynq.broker.EndedLease;
import io.asynq.broker.EndedLeases;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.broker.TaskMessage;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How leases are kept and lost ones found; and how completed tasks expire.
 */
abstract class LeaseContract extends BrokerContract {

	LeaseContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void anExtendedLeaseHasItsFullTimeAgain() {
		this.state.seedActive(in(3), message("t1").build());
		Lease lease = new Lease(QUEUE, "t1", "", in(3));
		this.broker.leases().extend(QUEUE, List.of(lease));
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("t1", nowSeconds() + 30);
		assertThat(lease.expiresAt()).isEqualTo(Instant.ofEpochSecond(nowSeconds() + 30));
	}

	@Test
	void aLeaseThatRedisDoesNotHaveIsNotCreatedAndNotExtended() {
		Lease lost = new Lease(QUEUE, "gone", "", in(3));
		Lease kept = new Lease(QUEUE, "t1", "", in(3));
		this.state.seedActive(in(3), message("t1").build());
		this.broker.leases().extend(QUEUE, List.of(lost, kept));
		assertThat(this.state.scores(QUEUE, "lease")).containsOnlyKeys("t1");
		assertThat(lost.expiresAt()).isEqualTo(in(3));
	}

	@Test
	void listsLeasesThatHaveEndedOldestFirst() {
		this.state.seedActive(in(-40), message("b").build());
		this.state.seedActive(in(-50), message("a").build());
		this.state.seedActive(in(-30), message("edge").build());
		this.state.seedActive(in(-29), message("c").build());
		assertThat(expired(10)).extracting(TaskMessage::id).containsExactly("a", "b", "edge");
		assertThat(expired(2)).extracting(TaskMessage::id).containsExactly("a", "b");
	}

	@Test
	void pagesOfEndedLeasesSayWhatIsLeftAndWhetherAllActiveTasksHaveOne() {
		this.state.seedActive(in(-40), message("a").build(), message("b").build(), message("c").build());
		assertThat(ended(0, 2)).extracting(EndedLeases::more, EndedLeases::even).containsExactly(true, true);
		EndedLeases second = ended(2, 2);
		assertThat(second.leases()).extracting((lease) -> lease.message().id()).containsExactly("c");
		assertThat(second.more()).isFalse();
		this.state.seedActive(null, message("d").build());
		assertThat(ended(0, 2).even()).isFalse();
	}

	@Test
	void anEndThatIsNoWholeNumberBecomesOne() {
		this.state.seedActive(in(-40), message("a").build(), message("b").build());
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "a", nowSeconds() - 39.5);
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "b", Double.NEGATIVE_INFINITY);
		assertThat(ended(0, 10).leases()).extracting(EndedLease::endedAt)
			.containsExactly(Instant.EPOCH, Instant.ofEpochSecond(nowSeconds() - 40));
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("a", nowSeconds() - 40).containsEntry("b", 0L);
	}

	@Test
	void aClaimedTaskIsEndedByItsClaimerOnly() {
		this.state.seedPending(message("t1").build());
		LeasedTask before = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", nowSeconds() - 40);
		EndedLease ended = ended(0, 10).leases().get(0);
		LeasedTask claimed = this.broker.leases().claim(QUEUE, List.of(ended.withCrashes(2))).get(0);
		assertThat(status(new Outcome.Done(before))).isEqualTo(OutcomeResult.Status.NOT_ACTIVE);
		assertThat(ended(0, 10).leases()).extracting(EndedLease::crashes).containsExactly(2);
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("x-crashes", "2");
		assertThat(status(new Outcome.Retry(claimed, "lost", in(60), true))).isEqualTo(OutcomeResult.Status.APPLIED);
		this.state.assertRetry(QUEUE, "t1");
		this.state.assertActive(QUEUE);
	}

	@Test
	void aSecondClaimOfTheSameLeaseKnowsThatItsCrashWasCounted() {
		this.state.seedActive(in(-40), message("t1").build());
		EndedLease first = ended(0, 10).leases().get(0);
		assertThat(first.counted()).isFalse();
		this.broker.leases().claim(QUEUE, List.of(first.withCrashes(1)));
		EndedLease again = ended(0, 10).leases().get(0);
		assertThat(again.counted()).isTrue();
		assertThat(again.crashes()).isEqualTo(1);
	}

	@Test
	void whatCannotBeArchivedDoesNotKeepThePagesFromMovingOn() {
		this.state.redis().opsForValue().set("asynq:{default}:archived", "text");
		for (String id : List.of("bad1", "bad2")) {
			this.state.seedActive(in(-50), message(id).build());
			this.state.seedField(QUEUE, id, "msg", new byte[] { (byte) 0xFF });
		}
		this.state.seedActive(in(-40), message("good").build());
		EndedLeases first = ended(0, 2);
		assertThat(first.leases()).isEmpty();
		assertThat(first.listed()).isEqualTo(2);
		assertThat(ended(first.listed(), 2).leases()).extracting((lease) -> lease.message().id())
			.containsExactly("good");
	}

	@Test
	void aClaimWithoutCrashesForgetsThem() {
		this.state.seedActive(in(-40), message("t1").build());
		EndedLease ended = ended(0, 10).leases().get(0);
		this.broker.leases().claim(QUEUE, List.of(ended.withCrashes(2)));
		this.broker.leases().claim(QUEUE, List.of(ended.withCrashes(0)));
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("x-crashes");
	}

	@Test
	void aLeaseThatMovedOrWentMeanwhileIsNotClaimed() {
		this.state.seedActive(in(-40), message("moved").build(), message("gone").build());
		List<EndedLease> ended = ended(0, 10).leases();
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "moved", nowSeconds() + 30);
		this.state.redis().opsForList().remove("asynq:{default}:active", 1, "gone");
		assertThat(this.broker.leases().claim(QUEUE, ended)).isEmpty();
		assertThat(this.state.fields(QUEUE, "moved")).doesNotContainKey("x-attempt");
	}

	@Test
	void anUndecodableMessageDoesNotHideTheOthers() {
		this.state.seedActive(in(-50), message("bad").build());
		this.state.seedActive(in(-40), message("a").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { (byte) 0xFF });
		assertThat(expired(10)).extracting(TaskMessage::id).containsExactly("a");
		this.state.assertArchived(QUEUE, "bad");
		this.state.assertActive(QUEUE, "a");
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, "bad", BrokenTask.Kind.UNDECODABLE));
	}

	@Test
	void whatCannotBeDecodedIsLeftAloneAsLongAsItsLeaseHolds() {
		this.state.seedActive(in(10), message("bad").build(), message("a").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { (byte) 0xFF });
		assertThat(this.broker.leases().ending(QUEUE, in(15), 0, 10).leases())
			.extracting((lease) -> lease.message().id())
			.containsExactly("a");
		this.state.assertActive(QUEUE, "bad", "a");
		assertThat(this.brokenTasks).isEmpty();
	}

	@Test
	void aLeaseWithoutATaskIsRemovedFromEverywhere() {
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "ghost", nowSeconds() - 50);
		this.state.redis().opsForList().leftPush("asynq:{default}:active", "ghost");
		assertThat(expired(10)).isEmpty();
		this.state.assertActive(QUEUE);
	}

	@Test
	void aLeaseOfATaskThatIsNotActiveIsDropped() {
		this.state.seedRetry(in(60), message("t1").build());
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", nowSeconds() - 50);
		assertThat(expired(10)).isEmpty();
		this.state.assertActive(QUEUE);
		this.state.assertRetry(QUEUE, "t1");
	}

	@Test
	void findsActiveTasksWithoutALeaseAndGivesThemOneThatHasEnded() {
		this.state.seedActive(null, message("lost1").build(), message("lost2").build());
		this.state.seedActive(in(30), message("held").build());
		assertThat(this.broker.leases().withoutLease(QUEUE)).containsExactlyInAnyOrder("lost1", "lost2");
		assertThat(this.broker.leases().attachLease(QUEUE, List.of("lost1", "held", "gone"), in(-30))).isEqualTo(1);
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("lost1", nowSeconds() - 30)
			.containsEntry("held", nowSeconds() + 30)
			.doesNotContainKeys("lost2", "gone");
		assertThat(expired(10)).extracting(TaskMessage::id).containsExactly("lost1");
	}

	@Test
	void anActiveTaskWhoseIdIsNoTextIsArchivedThoughItHasNoLease() {
		byte[] id = { 'x', (byte) 0xFF };
		byte[] key = ByteBuffer.allocate(20).put(utf8("asynq:{default}:t:")).put(id).array();
		this.state.redis().execute((connection) -> {
			connection.hashCommands().hSet(key, utf8("msg"), TaskMessageCodec.encode(message("t1").build()));
			connection.hashCommands().hSet(key, utf8("state"), utf8("active"));
			return connection.listCommands().lPush(utf8("asynq:{default}:active"), id);
		}, true);
		assertThat(this.broker.leases().withoutLease(QUEUE)).isEmpty();
		this.clock.advance(Duration.ofSeconds(30));
		assertThat(expired(10)).isEmpty();
		assertThat(this.brokenTasks).extracting(BrokenTask::kind).containsExactly(BrokenTask.Kind.UNDECODABLE);
		assertThat(this.state.redis().opsForList().size("asynq:{default}:active")).isZero();
		assertThat(this.state.redis().opsForZSet().size("asynq:{default}:archived")).isEqualTo(1);
	}

	@Test
	void completedTasksGoWhenTheirRetentionIsOver() {
		this.state.seedCompleted(in(-1), message("old1").build(), message("old2").build());
		this.state.seedCompleted(in(0), message("edge").build());
		this.state.seedCompleted(in(1), message("kept").build());
		assertThat(this.broker.completedTasks().deleteExpired(QUEUE, 2)).isEqualTo(2);
		assertThat(this.broker.completedTasks().deleteExpired(QUEUE, 2)).isEqualTo(1);
		assertThat(this.broker.completedTasks().deleteExpired(QUEUE, 2)).isZero();
		this.state.assertCompleted(QUEUE, "kept");
		assertThat(this.state.exists("asynq:{default}:t:old1")).isFalse();
	}

	private List<TaskMessage> expired(int limit) {
		return ended(0, limit).leases().stream().map(EndedLease::message).toList();
	}

	private EndedLeases ended(int offset, int limit) {
		return this.broker.leases().ending(QUEUE, this.clock.instant().minus(Duration.ofSeconds(30)), offset, limit);
	}

	private OutcomeResult.Status status(Outcome outcome) {
		return this.broker.completer().report(List.of(outcome)).get(0).status();
	}

	private Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
