! ALIGN with dummies that do not fit.
program directive_align
  implicit none
  integer :: a(8), b(8), c(8, 8), d(8)
!HPF$ TEMPLATE t(16, 16)
!HPF$ ALIGN a(i) WITH t(i, k)
!HPF$ ALIGN c(i, i) WITH t(i, i)
!HPF$ ALIGN b(i) WITH t(i * i, 1)
!HPF$ ALIGN d(i) WITH d(i)
  a = 1
end program
