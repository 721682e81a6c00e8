package io.asynq.operations.preflight;

import java.util.List;

public record StoreReport(List<Finding> findings, List<String> notChecked) {
}
