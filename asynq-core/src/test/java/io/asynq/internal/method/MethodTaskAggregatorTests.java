package io.asynq.internal.method;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.asynq.Task;
import io.asynq.annotation.TaskAggregator;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.method.AggregatorBeans.Digests;
import io.asynq.internal.method.AggregatorBeans.Mail;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static io.asynq.internal.method.AggregatorBeans.TWO;
import static io.asynq.internal.method.AggregatorBeans.aggregate;
import static io.asynq.internal.method.AggregatorBeans.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of how {@link TaskAggregator} methods turn tasks into one.
 */
class MethodTaskAggregatorTests {

	@Test
	void turnsPayloadsIntoAPayload() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class)) {
			Task task = aggregate(context, "low", "digest:7", TWO);
			assertThat(task.type()).isEqualTo("mail:digest");
			assertThat(text(task)).isEqualTo("{\"group\":\"digest:7\",\"to\":[\"ada\",\"bob\"]}");
		}
	}

	@Test
	void turnsTasksIntoATask() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class)) {
			assertThat(aggregate(context, "low", "task:1", TWO)).isSameAs(TWO.get(1));
			assertThat(context.getBean(TaskAggregators.class).find("high", "task:1")).isNull();
		}
	}

	@Test
	void acceptsSubtypesAndWildcardsOfPayloads() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Wildcard.class, OfMails.class)) {
			assertThat(text(aggregate(context, "q", "wild", TWO))).isEqualTo("adabob");
			assertThat(text(aggregate(context, "q", "generic", TWO))).isEqualTo("bob");
		}
	}

	@Test
	void payloadOfNewTaskHasTypeIds() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Typed.class)) {
			assertThat(text(aggregate(context, "q", "typed", TWO)))
				.isEqualTo("[{\"by\":\"mail\",\"to\":\"ada\"},{\"by\":\"mail\",\"to\":\"bob\"}]");
			assertThat(text(aggregate(context, "q", "events", TWO))).isEqualTo("[{\"kind\":\"mail\",\"to\":\"ada\"}]");
		}
	}

	@Test
	void nullFromMethodIsRejected() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Nulls.class)) {
			assertThat(aggregate(context, "q", "payload", TWO)).isNull();
			assertThat(aggregate(context, "q", "task", TWO)).isNull();
		}
	}

	@Test
	void propagatesExceptionOfMethod() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Throwing.class)) {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> aggregate(context, "q", "g", TWO));
		}
	}

	@Test
	void rejectsTasksWithUnreadablePayload() {
		Task bad = Task.of("mail", "[1]");
		Task none = Task.of("mail", (byte[]) null);
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Digests.class)) {
			assertThatExceptionOfType(RejectedTasksException.class)
				.isThrownBy(() -> aggregate(context, "low", "digest:7", List.of(TWO.get(0), bad, none)))
				.withMessageContainingAll("'mail'", Mail.class.getName(), "Digests.digest(String, List)")
				.satisfies((ex) -> assertThat(ex.tasks()).containsExactly(bad, none));
		}
	}

	static class Wildcard {

		@TaskAggregator(group = "wild", type = "x")
		String wild(List<? extends Mail> mails) {
			return String.join("", mails.stream().map(Mail::to).toList());
		}

	}

	abstract static class OfSome<T> {

		@TaskAggregator(group = "generic", type = "x")
		String join(List<T> payloads) {
			return describe(payloads.get(payloads.size() - 1));
		}

		abstract String describe(T payload);

	}

	static class OfMails extends OfSome<Mail> {

		@Override
		String describe(Mail payload) {
			return payload.to();
		}

	}

	static class Typed {

		@TaskAggregator(group = "typed", type = "x")
		List<Step> steps(List<Mail> mails) {
			return mails.stream().<Step>map((mail) -> new SendMail(mail.to())).toList();
		}

		@TaskAggregator(group = "events", type = "x")
		List<Event> events(List<Mail> mails) {
			return List.of(new SendMail(mails.get(0).to()));
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	interface Event {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
	sealed interface Step permits SendMail {

	}

	@JsonTypeName("mail")
	record SendMail(String to) implements Step, Event {
	}

	static class Nulls {

		@TaskAggregator(group = "payload", type = "x")
		@Nullable String payload(List<String> payloads) {
			return null;
		}

		@TaskAggregator(group = "task")
		@Nullable Task task(List<Task> tasks) {
			return null;
		}

	}

	static class Throwing {

		@TaskAggregator(type = "x")
		String all(List<String> payloads) {
			throw new UnsupportedOperationException();
		}

	}

}
