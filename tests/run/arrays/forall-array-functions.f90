! WHERE and FORALL with defined elementals, array functions in masks, nested loops with exit names
program p
  implicit none
  real :: a(4,4), b(4,4)
  integer :: i, j
  logical :: m(4,4)
  call random_stub(a)
  m = a > sum(a)/size(a)
  where (m)
    b = a
  elsewhere
    b = -a
  end where
  print '(4f8.3)', b
  forall (i=1:4) a(i, i) = sum(a(i, :))
  print '(4f8.3)', a
  forall (i=1:4, j=1:4, i < j)
    a(i, j) = a(j, i)
    b(i, j) = a(i, j)*2
  end forall
  print '(4f8.3)', a, b
  rows: do i = 1, 4
    cols: do j = 1, 4
      if (a(i, j) > 20) exit rows
      if (b(i, j) < 0) cycle rows
      print *, i, j
    end do cols
  end do rows
contains
  subroutine random_stub(x)
    real, intent(out) :: x(:,:)
    integer :: i, j
    forall (i=1:size(x,1), j=1:size(x,2)) x(i,j) = mod(i*7 + j*3, 11)
  end subroutine
end program
