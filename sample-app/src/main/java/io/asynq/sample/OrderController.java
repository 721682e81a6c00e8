package io.asynq.sample;

import java.net.URI;
import java.util.Objects;

import jakarta.validation.Valid;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The HTTP API of the service.
 */
@RestController
@RequestMapping("/orders")
class OrderController {

	private final OrderService service;

	private final OrderStore store;

	private final OrderStatus status;

	OrderController(OrderService service, OrderStore store, OrderStatus status) {
		this.service = service;
		this.store = store;
		this.status = status;
	}

	@PostMapping
	ResponseEntity<Order> place(@Valid @RequestBody OrderRequest request) {
		Order order = this.service.place(Objects.requireNonNull(request.customer()),
				Objects.requireNonNull(request.item()), Objects.requireNonNull(request.quantity()),
				Objects.requireNonNull(request.price()));
		return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
	}

	@GetMapping("/{id}")
	OrderView show(@PathVariable String id) {
		return this.store.find(id).map(this.status::view).orElseThrow(() -> new OrderNotFoundException(id));
	}

}
