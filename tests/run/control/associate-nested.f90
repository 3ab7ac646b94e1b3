! associate and block nested with loops, exits, and host variables
program p
  implicit none
  integer :: i, j, grid(4, 4), found
  real :: w(3) = [1., 2., 3.]
  grid = reshape([(i, i=1,16)], [4, 4])
  found = 0
  search: do j = 1, 4
    associate (col => grid(:, j), s => sum(grid(:, j)))
      do i = 1, size(col)
        if (mod(col(i), 7) == 0) then
          found = col(i)
          exit search
        end if
        if (s < 0) cycle search
      end do
    end associate
  end do search
  print *, found, i, j
  do i = 1, 3
    block
      real :: t(i)
      integer :: k
      t = [(w(k)*i, k=1,i)]
      if (i == 2) cycle
      associate (first => t(1), total => sum(t))
        first = first + 100
        print *, first, total, t
      end associate
    end block
  end do
  associate (sub => grid(2:3, 2:3))
    sub = -sub
    associate (corner => sub(2, 2), row => sub(1, :))
      corner = 0
      row = row*10
    end associate
    print *, sub, shape(sub), lbound(sub)
  end associate
  print *, grid
  call s(w)
contains
  subroutine s(v)
    real, intent(inout) :: v(:)
    associate (n => size(v), tail => v(2:))
      tail = tail + n
      call bump(tail)
    end associate
    print *, v
  end subroutine
  subroutine bump(x)
    real, intent(inout) :: x(:)
    x(1) = x(1) + 0.5
  end subroutine
end program
