package io.asynq.sample;

import java.util.List;
import java.util.Map;

import io.asynq.QueueNotFoundException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

class DeclinedPaymentsTests {

	private final AsynqInspector inspector = mock();

	private final MockMvcTester mvc = MockMvcTester
		.create(MockMvcBuilders.standaloneSetup(new DeclinedPayments(this.inspector))
			.setControllerAdvice(new ApiErrors())
			.build());

	@Test
	void showsArchivedPaymentsAndReasons() {
		TaskInfo task = TaskInfo.builder("1", "critical", Task.of("payment:charge", "{}"), TaskState.ARCHIVED)
			.lastError("card declined")
			.build();
		given(this.inspector.listTasks("critical", TaskState.ARCHIVED, Page.of(2, 30))).willReturn(List.of(task));
		MvcTestResult answer = this.mvc.get().uri("/payments/declined?page=2").exchange();
		assertThat(answer).bodyJson()
			.extractingPath("$")
			.isEqualTo(List.of(Map.of("id", "1", "reason", "card declined")));
		assertThat(this.mvc.get().uri("/payments/declined?page=-1").exchange()).hasStatusOk();
	}

	@Test
	void retriesPayment() {
		assertThat(this.mvc.post().uri("/payments/declined/1/retry").exchange()).hasStatus(HttpStatus.ACCEPTED);
		then(this.inspector).should().runTask("critical", "1");
	}

	@Test
	void explainsWhyPaymentCannotBeRetried() {
		willThrow(new TaskNotFoundException("critical", "gone")).given(this.inspector).runTask("critical", "gone");
		willThrow(new QueueNotFoundException("critical")).given(this.inspector).runTask("critical", "first");
		willThrow(new TaskStateException("critical", "busy", TaskState.ACTIVE, "cannot be run")).given(this.inspector)
			.runTask("critical", "busy");
		assertThat(tryAgain("gone")).hasStatus(HttpStatus.NOT_FOUND).bodyText().contains("'gone'");
		assertThat(tryAgain("first")).hasStatus(HttpStatus.NOT_FOUND).bodyText().contains("'critical'");
		assertThat(tryAgain("busy")).hasStatus(HttpStatus.CONFLICT).bodyText().contains("is active");
	}

	private MvcTestResult tryAgain(String id) {
		return this.mvc.post().uri("/payments/declined/" + id + "/retry").exchange();
	}

}
