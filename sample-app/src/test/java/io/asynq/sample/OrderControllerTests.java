package io.asynq.sample;

import java.math.BigDecimal;
import java.util.List;

import io.asynq.BrokerUnavailableException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

class OrderControllerTests {

	private final OrderStore store = TestOrders.store();

	private final AsynqInspector inspector = mock();

	private final MockMvcTester mvc = MockMvcTester.create(MockMvcBuilders
		.standaloneSetup(new OrderController(new UnreachableQueue(this.store), this.store,
				new OrderStatus(this.inspector, this.store, JsonMapper.shared())))
		.setControllerAdvice(new ApiErrors())
		.build());

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			customer | {"item":"Book","quantity":2,"price":19.90}
			customer | {"customer":"nobody","item":"Book","quantity":2,"price":19.90}
			item     | {"customer":"ada@example.com","item":" ","quantity":2,"price":19.90}
			quantity | {"customer":"ada@example.com","item":"Book","quantity":0,"price":19.90}
			quantity | {"customer":"ada@example.com","item":"Book","quantity":1001,"price":19.90}
			price    | {"customer":"ada@example.com","item":"Book","quantity":2,"price":0}
			price    | {"customer":"ada@example.com","item":"Book","quantity":2,"price":1.999}
			""")
	void namesInvalidField(String field, String body) {
		MvcTestResult answer = post(body);
		assertThat(answer).hasStatus(HttpStatus.BAD_REQUEST);
		assertThat(answer).bodyJson().extractingPath("$.errors").asMap().containsOnlyKeys(field);
		assertThat(answer).bodyJson().extractingPath("$.detail").asString().contains(field);
	}

	@Test
	void namesFieldOfWrongType() {
		MvcTestResult answer = post("{\"customer\":\"ada@example.com\",\"item\":\"Book\",\"quantity\":\"two\"}");
		assertThat(answer).hasStatus(HttpStatus.BAD_REQUEST);
		assertThat(answer).bodyJson().extractingPath("$.detail").asString().contains("'quantity'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "[]", "" })
	void showsExampleBodyWhenRequestIsInvalid(String body) {
		MvcTestResult answer = post(body);
		assertThat(answer).hasStatus(HttpStatus.BAD_REQUEST);
		assertThat(answer).bodyJson().extractingPath("$.detail").asString().contains("\"customer\"");
	}

	@Test
	void respondsUnavailableWhenQueueIsUnavailable() {
		MvcTestResult answer = post(
				"{\"customer\":\"ada@example.com\",\"item\":\"Book\",\"quantity\":2,\"price\":19.90}");
		assertThat(answer).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
		assertThat(this.store.size()).isZero();
	}

	@Test
	void unknownOrderIsNotFound() {
		MvcTestResult answer = this.mvc.get().uri("/orders/42").exchange();
		assertThat(answer).hasStatus(HttpStatus.NOT_FOUND);
		assertThat(answer).bodyJson().extractingPath("$.detail").asString().contains("'42'");
	}

	@Test
	void showsDeletedTaskAsDone() {
		given(this.inspector.taskInfo("critical", "gone")).willThrow(new TaskNotFoundException("critical", "gone"));
		this.store.add(order(new OrderTask("payment", "critical", "gone")));
		MvcTestResult answer = this.mvc.get().uri("/orders/42").exchange();
		assertThat(answer).hasStatusOk();
		assertThat(answer).bodyJson().extractingPath("$.tasks.payment.state").isEqualTo("done");
	}

	@Test
	void showsTaskThatIsInTheOutboxAsDeferredAndAsksRedisForNone() {
		JdbcClient jdbc = TestOrders.jdbc();
		OrderStore orders = new OrderStore(jdbc);
		jdbc.sql("INSERT INTO asynq_outbox (transaction_id, ordinal, created_at, queue, task_id, task_type, message,"
				+ " replaces_archived) VALUES ('t', 0, 0, 'low', '1', 'invoice:write', X'00', FALSE)")
			.update();
		Order order = order(new OrderTask("invoice", "low", "1"));
		orders.add(order);
		OrderStatus status = new OrderStatus(this.inspector, orders, JsonMapper.shared());
		assertThat(status.view(order).tasks().get("invoice").state()).isEqualTo("deferred");
		assertThat(status.isWorkedOff(order.tasks().get(0))).isFalse();
		verifyNoInteractions(this.inspector);
	}

	@Test
	void showsStateRetriesErrorAndResult() {
		TaskInfo task = TaskInfo.builder("1", "low", Task.of("invoice:write", "{}"), TaskState.COMPLETED)
			.retried(2)
			.lastError("no paper")
			.result("{\"number\":\"INV-000007\",\"amount\":19.90}".getBytes())
			.build();
		given(this.inspector.taskInfo("low", "1")).willReturn(task);
		this.store.add(order(new OrderTask("invoice", "low", "1")));
		MvcTestResult answer = this.mvc.get().uri("/orders/42").exchange();
		assertThat(answer).bodyJson()
			.extractingPath("$.tasks.invoice")
			.isEqualTo(java.util.Map.of("id", "1", "queue", "low", "state", "completed", "retried", 2, "lastError",
					"no paper", "result", java.util.Map.of("number", "INV-000007", "amount", 19.90)));
		assertThat(answer).bodyText().contains("19.90");
	}

	private MvcTestResult post(String body) {
		return this.mvc.post().uri("/orders").contentType(MediaType.APPLICATION_JSON).content(body).exchange();
	}

	private static Order order(OrderTask task) {
		return new Order("42", 1, "ada@example.com", "Book", 2, new BigDecimal("39.80"), List.of(task));
	}

	/** A service whose Redis is unavailable. */
	private static final class UnreachableQueue extends OrderService {

		UnreachableQueue(OrderStore store) {
			super(null, store);
		}

		@Override
		Order place(String customer, String item, int quantity, BigDecimal price) {
			throw new BrokerUnavailableException("Redis cannot be reached", null);
		}

	}

}
