program p
  f0(x) = x
  f1(x) = f0(x) + f0(x) + f0(x) + f0(x)
  f2(x) = f1(x) + f1(x) + f1(x) + f1(x)
  f3(x) = f2(x) + f2(x) + f2(x) + f2(x)
  f4(x) = f3(x) + f3(x) + f3(x) + f3(x)
  f5(x) = f4(x) + f4(x) + f4(x) + f4(x)
  f6(x) = f5(x) + f5(x) + f5(x) + f5(x)
  f7(x) = f6(x) + f6(x) + f6(x) + f6(x)
  f8(x) = f7(x) + f7(x) + f7(x) + f7(x)
  f9(x) = f8(x) + f8(x) + f8(x) + f8(x)
  f10(x) = f9(x) + f9(x) + f9(x) + f9(x)
  f11(x) = f10(x) + f10(x) + f10(x) + f10(x)
  f12(x) = f11(x) + f11(x) + f11(x) + f11(x)
  f13(x) = f12(x) + f12(x) + f12(x) + f12(x)
  print *, f13(1.0)
end program
