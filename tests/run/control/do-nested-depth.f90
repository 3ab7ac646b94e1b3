! Eight loops deep, each with its own bound.
program do_nested_depth
  implicit none
  integer :: a, b, c, d, e, f, g, h, n
  n = 0
  do a = 1, 2
   do b = a, 3
    do c = b, 1, -1
     do d = 1, 2
      do e = d, c
       do f = 1, 3, 2
        do g = f, f + 1
         do h = 0, g, 2
          n = n + a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h
         end do
        end do
       end do
      end do
     end do
    end do
   end do
  end do
  print *, n, a, b, c, d, e, f, g, h
end program
