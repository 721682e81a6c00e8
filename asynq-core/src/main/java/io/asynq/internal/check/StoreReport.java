package io.asynq.internal.check;

import java.util.List;

public record StoreReport(List<Finding> findings, List<String> notChecked) {
}
