package io.asynq.spring.boot.test.whole;

import io.asynq.AsynqClient;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TransferController {

	private final AsynqClient client;

	TransferController(AsynqClient client) {
		this.client = client;
	}

	@PostMapping("/transfers")
	@ResponseStatus(HttpStatus.ACCEPTED)
	void request(@RequestBody String id) {
		this.client.enqueue("transfer:book", id, (o) -> o.queue("critical"));
	}

}
