import Imaging

print(Kernel.allCases.count)
